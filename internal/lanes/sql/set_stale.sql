-- set_stale.sql: store how many rows of a task hold their slots for too long. @rows includes held
-- rows, which have no slots.
UPDATE rollcall.feeds SET stale = CASE WHEN @rows > held THEN @rows - held ELSE 0 END WHERE task_num = @num
