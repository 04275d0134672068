-- set_stale.sql: note how many rows of a task hold their slots for too long. @rows counts
-- held rows, too, which have none.
UPDATE rollcall.feeds SET stale = CASE WHEN @rows > held THEN @rows - held ELSE 0 END WHERE task_num = @num
