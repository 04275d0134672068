-- mend_held.sql: have a feed say how many rows of its task are held.
UPDATE rollcall.feeds SET held = @held WHERE task_num = @num
