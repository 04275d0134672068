-- feed_back.sql: tell the feeder that rows wait to be fed once more.
UPDATE rollcall.feeds SET back = back + @rows WHERE task_num = @num
