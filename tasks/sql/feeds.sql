-- feeds.sql: every task that is not done and may run by now, in the
-- order of feeding.
--
-- The last column is what was pushed and is not at rest.
SELECT t.num, t.id, t.tenant, t.kind, t.status, t.total, t.total_is_final,
       f.fed, f.unfed, f.again_from, f.again_to, f.claim_until, t.enqueue + t.working - f.unfed
FROM feeds f
JOIN tasks t ON t.num = f.task_num
WHERE t.run_at <= @now
ORDER BY t.priority DESC, t.num
