-- hold_feed.sql: keep a task's feed from moving until the transaction ends.
UPDATE rollcall.feeds SET unfed = unfed WHERE task_num = @num
