-- tenant_backlog.sql: by kind, count the tasks of a tenant that may run and are not done, their
-- rows that are not in Redis, those that are or run, and those that have not begun and may. Of
-- a paused task or tenant, the last are the rows that Redis has.
SELECT b.kind, count(*), cast(sum(b.unfed) AS bigint), cast(sum(b.queued) AS bigint),
       cast(sum(CASE WHEN b.rows > 0 THEN b.rows ELSE 0 END) AS bigint)
FROM (
    SELECT t.kind, f.unfed + f.held + f.back AS unfed,
           CASE WHEN t.enqueue + t.working > f.unfed + f.back + f.held
                THEN t.enqueue + t.working - f.unfed - f.back - f.held ELSE 0 END AS queued,
           t.enqueue - t.retrying - f.back
           - CASE WHEN t.status = 'paused' OR coalesce(l.paused, FALSE) THEN f.unfed + f.held ELSE 0 END AS rows
    FROM rollcall.tasks t
    JOIN rollcall.feeds f ON f.task_num = t.num
    LEFT JOIN rollcall.limits l ON l.tenant = t.tenant
    WHERE t.tenant = @tenant AND t.finished_at = 0 AND t.run_at <= @now AND t.hold = '' AND t.awaits = 0
) b
GROUP BY b.kind
