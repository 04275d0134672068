-- resume.sql: feed a paused task again.
UPDATE tasks
SET status = CASE WHEN total_is_final THEN 'running' WHEN file_id <> '' THEN 'splitting' ELSE 'open' END,
    version = version + 1
WHERE id = @id AND tenant = @tenant AND status = 'paused'
RETURNING num
