-- mend_feed.sql: have a feed wait for as many rows as there are behind it.
UPDATE feeds SET unfed = @unfed WHERE task_num = @num
