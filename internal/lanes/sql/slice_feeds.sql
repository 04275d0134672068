-- slice_feeds.sql: return feeds by task number, and whether the place of each feed is wrong:
-- place_feed.sql would change it.
SELECT f.task_num,
       f.lane = 0 OR f.rank <> -t.priority OR t.status = 'canceling' AND f.cancel_from = -1
       OR f.reading <> (NOT t.total_is_final
                        AND (t.file_id <> '' OR t.type = 'export' OR t.status IN ('splitting', 'running')))
       OR (f.due_at = 9223372036854775807) <> (t.hold <> '' OR t.awaits > 0 OR t.status NOT IN ('open', 'splitting', 'running'))
FROM rollcall.feeds f
JOIN rollcall.tasks t ON t.num = f.task_num
WHERE f.task_num > @after
ORDER BY f.task_num
LIMIT @most
