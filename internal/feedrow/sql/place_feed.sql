-- place_feed.sql: set the places of the feeds of tasks from the present state of these tasks.
UPDATE rollcall.feeds
SET lane = coalesce((SELECT n.id FROM rollcall.lanes n JOIN rollcall.tasks t ON t.tenant = n.tenant AND t.kind = n.kind
                     WHERE t.num = feeds.task_num), 0),
    (rank, due_at, reading, cancel_from) = (
        SELECT -t.priority,
               CASE WHEN t.hold <> '' OR t.awaits > 0 OR t.status NOT IN ('open', 'splitting', 'running') THEN 9223372036854775807
                    WHEN t.run_at <= @now THEN 0 ELSE t.run_at END,
               NOT t.total_is_final
               AND (t.file_id <> '' OR t.type = 'export' OR t.status IN ('splitting', 'running')),
               CASE WHEN t.status = 'canceling' AND feeds.cancel_from = -1 THEN -2 ELSE feeds.cancel_from END
        FROM rollcall.tasks t WHERE t.num = feeds.task_num)
WHERE task_num = ANY (cast(@nums AS bigint[]))
