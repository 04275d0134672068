-- result_gone.sql: record that the result of a task was deleted.
UPDATE rollcall.tasks SET result_purged_at = @now, version = version + 1 WHERE num = @num AND result_id <> ''
