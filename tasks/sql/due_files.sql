-- due_files.sql: tasks whose uploaded file has been kept for long enough,
-- counted from the end of the task; times are unix ms.
SELECT num, file_id
FROM tasks
WHERE finished_at > 0 AND file_id <> '' AND file_purged_at = 0
  AND (finished_at < @before OR expires_at < @now)
ORDER BY finished_at
LIMIT @most
