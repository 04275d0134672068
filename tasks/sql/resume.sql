-- resume.sql: feed a paused task again. One that waits for a person to look at
-- its invalid rows has been looked at; one that is still read goes on being held.
UPDATE tasks
SET status = CASE WHEN total_is_final THEN 'running' WHEN file_id <> '' THEN 'splitting' ELSE 'open' END,
    problem = CASE WHEN total_is_final AND hold = 'block' THEN NULL ELSE problem END,
    hold = CASE WHEN total_is_final THEN '' ELSE hold END,
    version = version + 1
WHERE id = @id AND tenant = @tenant AND status = 'paused'
RETURNING num
