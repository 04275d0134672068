-- close_feed.sql: tasks that are done have nothing to feed.
DELETE FROM rollcall.feeds WHERE task_num = ANY (cast(@nums AS bigint[]))
