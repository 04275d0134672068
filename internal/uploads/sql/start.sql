-- start.sql: give the file of an upload to a task, in the transaction that adds the task. The statement
-- changes no row if the upload has ended or another task has the file.
UPDATE rollcall.uploads SET started_at = @now WHERE id = @id AND started_at = 0 AND expires_at > @now
