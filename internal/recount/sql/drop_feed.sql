-- drop_feed.sql: delete the feed of a task, because the task is done or the feed is wrong.
DELETE FROM rollcall.feeds WHERE task_num = @num
