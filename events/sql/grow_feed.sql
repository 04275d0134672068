-- grow_feed.sql: tell the feeder that rows wait.
UPDATE rollcall.feeds SET unfed = unfed + @enqueue WHERE task_num = @num
