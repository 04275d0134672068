-- result_gone.sql: note that the file that a task has made was deleted.
UPDATE rollcall.tasks SET result_purged_at = @now, version = version + 1 WHERE num = @num AND result_id <> ''
