-- file_gone.sql: record that the upload of a task was deleted.
UPDATE rollcall.tasks SET file_purged_at = @now, version = version + 1 WHERE num = @num AND file_id <> ''
