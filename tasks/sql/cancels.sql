-- cancels.sql: the tasks that are being canceled.
SELECT t.num, t.id, t.tenant, t.kind, t.total, t.enqueue, t.working, f.cancel_from
FROM feeds f
JOIN tasks t ON t.num = f.task_num
WHERE t.status = 'canceling'
ORDER BY t.num
