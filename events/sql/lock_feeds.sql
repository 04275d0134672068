-- lock_feeds.sql: lock the feeds of tasks until the transaction ends, youngest first.
SELECT task_num FROM feeds WHERE task_num = ANY (cast(@nums AS bigint[])) ORDER BY task_num DESC FOR UPDATE
