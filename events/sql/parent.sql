-- parent.sql: the number of the parent of a task, 0 if it has none.
SELECT parent FROM tasks WHERE num = @num
