-- repair_feed.sql: set the counts of a feed: unfed rows, and resubmitted rows that wait to be fed.
UPDATE rollcall.feeds SET unfed = @unfed, back = @back WHERE task_num = @num
