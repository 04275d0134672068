-- close_feed.sql: delete the feeds of tasks that are done.
DELETE FROM rollcall.feeds WHERE task_num = ANY (cast(@nums AS bigint[]))
