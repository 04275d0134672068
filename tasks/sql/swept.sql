-- swept.sql: record that a purged task has no more records to delete.
UPDATE rollcall.tasks SET sweep = 0 WHERE num = @num
