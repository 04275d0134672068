-- swept.sql: note that nothing is left of a purged task.
UPDATE rollcall.tasks SET sweep = 0 WHERE num = @num
