-- repair_held.sql: set the number of held rows of a feed.
UPDATE rollcall.feeds SET held = @held WHERE task_num = @num
