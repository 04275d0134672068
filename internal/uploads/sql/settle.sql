-- settle.sql: record that an existing task is the answer to an upload. Touches 1 row, or none if the upload
-- has ended or a task has its file.
UPDATE rollcall.uploads SET started_at = @now, task_id = @task WHERE id = @id AND started_at = 0 AND expires_at > 0
