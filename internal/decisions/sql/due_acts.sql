-- due_acts.sql: return acts whose rows must be resubmitted now. The act that has been due longest comes
-- first.
SELECT t.num, t.id, t.tenant, a.id
FROM rollcall.review_acts a
JOIN rollcall.tasks t ON t.num = a.task_num
WHERE a.run_at > 0 AND a.run_at <= @now
ORDER BY a.run_at
LIMIT @most
