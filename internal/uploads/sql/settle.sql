-- settle.sql: record the existing task of an upload. The statement changes no row if the upload has ended
-- or a task has its file.
UPDATE rollcall.uploads SET started_at = @now, task_id = @task WHERE id = @id AND started_at = 0 AND expires_at > 0
