-- cancels.sql: return the tasks that are being canceled. The limit makes Postgres start with the
-- index of their feeds.
SELECT t.num, t.id, t.tenant, t.kind, t.total, t.enqueue, t.working, f.cancel_from
FROM (SELECT task_num, cancel_from FROM rollcall.feeds WHERE cancel_from <> -1 ORDER BY task_num LIMIT 1000000) f
JOIN rollcall.tasks t ON t.num = f.task_num
WHERE t.status = 'canceling'
ORDER BY f.task_num
