-- feed_back.sql: raise the number of rows of a task that wait to be fed again.
UPDATE rollcall.feeds SET back = back + @rows WHERE task_num = @num
