-- close_feed.sql: a task that is done has nothing to feed.
DELETE FROM feeds WHERE task_num = @num
