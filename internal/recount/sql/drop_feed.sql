-- drop_feed.sql: delete the feed of a task that is done, or whose feed is wrong.
DELETE FROM rollcall.feeds WHERE task_num = @num
