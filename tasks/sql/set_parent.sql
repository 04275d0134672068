-- set_parent.sql: store the parent of a task.
UPDATE rollcall.tasks SET parent = @parent, depth = @depth WHERE num = @num
