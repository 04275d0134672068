-- lock_feeds.sql: lock the feeds of tasks until the transaction ends, the youngest task first. A
-- group of outcomes ends its tasks in the same order.
SELECT task_num FROM rollcall.feeds WHERE task_num = ANY (cast(@nums AS bigint[])) ORDER BY task_num DESC FOR UPDATE
