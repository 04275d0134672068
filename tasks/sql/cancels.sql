-- cancels.sql: the tasks that are being canceled.
SELECT t.num, t.id, t.tenant, t.kind, t.total, t.enqueue, t.working, f.cancel_from
FROM feeds f
JOIN tasks t ON t.num = f.task_num
WHERE f.cancel_from <> -1 AND t.status = 'canceling'
ORDER BY f.task_num
