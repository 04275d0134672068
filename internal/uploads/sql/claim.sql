-- claim.sql: end an upload without a task, so that no task can take its file from now on. The statement
-- changes no row if a task has the file or the upload is gone.
UPDATE rollcall.uploads SET expires_at = 0 WHERE id = @id AND started_at = 0
