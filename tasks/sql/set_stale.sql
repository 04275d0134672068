-- set_stale.sql: note how many rows of a task hold their slots for too long.
UPDATE feeds SET stale = @rows WHERE task_num = @num
