-- hold_feed.sql: lock the feed of a task until the transaction ends.
UPDATE rollcall.feeds SET unfed = unfed WHERE task_num = @num
