-- mend_feed.sql: have a feed wait for as many rows as there are behind it, and to
-- be fed once more.
UPDATE rollcall.feeds SET unfed = @unfed, back = @back WHERE task_num = @num
