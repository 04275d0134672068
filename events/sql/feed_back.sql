-- feed_back.sql: count rows of a task that wait to be fed again.
UPDATE rollcall.feeds SET back = back + @rows WHERE task_num = @num
