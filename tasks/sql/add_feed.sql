-- add_feed.sql: give a new task its feed. If the tenant and kind have no lane yet, the lane is 0. A
-- feeder adds the lane later, so that the transaction of the caller locks no lane. Rows that are
-- added with the task count as unfed.
INSERT INTO rollcall.feeds (task_num, unfed, lane, rank, due_at, reading)
SELECT t.num, t.enqueue,
       coalesce((SELECT n.id FROM rollcall.lanes n WHERE n.tenant = t.tenant AND n.kind = t.kind), 0), -t.priority,
       CASE WHEN t.hold <> '' OR t.awaits > 0 OR t.status NOT IN ('open', 'splitting', 'running') THEN 9223372036854775807
            WHEN t.run_at <= @now THEN 0 ELSE t.run_at END,
       NOT t.total_is_final AND (t.file_id <> '' OR t.type = 'export' OR t.status IN ('splitting', 'running'))
FROM rollcall.tasks t
WHERE t.num = @num
