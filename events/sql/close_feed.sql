-- close_feed.sql: tasks that are done have nothing to feed.
DELETE FROM feeds WHERE task_num = ANY (cast(@nums AS bigint[]))
