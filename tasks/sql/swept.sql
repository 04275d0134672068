-- swept.sql: note that nothing is left of a purged task.
UPDATE tasks SET sweep = 0 WHERE num = @num
