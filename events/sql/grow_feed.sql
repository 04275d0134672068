-- grow_feed.sql: raise the number of rows of a task that wait to be fed.
UPDATE rollcall.feeds SET unfed = unfed + @enqueue WHERE task_num = @num
