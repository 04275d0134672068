-- lock_feeds.sql: lock the feeds of tasks until the transaction ends, youngest first: in the order
-- in which the tasks of a group of outcomes are ended.
SELECT task_num FROM rollcall.feeds WHERE task_num = ANY (cast(@nums AS bigint[])) ORDER BY task_num DESC FOR UPDATE
