-- tenant_backlog.sql: count the unfinished work of a tenant by kind.
--
-- The columns after kind and run hours of the tenant are:
--   tasks that may run and are not done;
--   their rows that are not in Redis;
--   of these rows, those that wait only for other rows of their keys;
--   of these rows, those of a paused task or tenant;
--   their rows that are in Redis or run;
--   their rows that may run and have not started, of a paused task or tenant only those in Redis;
--   their rows in Redis that have not started.
SELECT b.kind, b.run_hours, count(*), cast(sum(b.unfed) AS bigint),
       cast(sum(CASE WHEN b.stopped THEN 0 ELSE b.held END) AS bigint),
       cast(sum(CASE WHEN b.stopped THEN b.unfed ELSE 0 END) AS bigint), cast(sum(b.queued) AS bigint),
       cast(sum(CASE WHEN b.rows > 0 THEN b.rows ELSE 0 END) AS bigint),
       cast(sum(CASE WHEN b.in_redis > 0 THEN b.in_redis ELSE 0 END) AS bigint)
FROM (
    SELECT t.kind, coalesce(l.run_hours, '') AS run_hours, f.unfed + f.held + f.back AS unfed,
           f.held, t.status = 'paused' OR coalesce(l.paused, FALSE) AS stopped,
           CASE WHEN t.enqueue + t.working > f.unfed + f.back + f.held
                THEN t.enqueue + t.working - f.unfed - f.back - f.held ELSE 0 END AS queued,
           t.enqueue - t.retrying - f.back - f.unfed - f.held AS in_redis,
           t.enqueue - t.retrying - f.back
           - CASE WHEN t.status = 'paused' OR coalesce(l.paused, FALSE) THEN f.unfed + f.held ELSE 0 END AS rows
    FROM rollcall.tasks t
    JOIN rollcall.feeds f ON f.task_num = t.num
    LEFT JOIN rollcall.limits l ON l.tenant = t.tenant
    WHERE t.tenant = @tenant AND t.finished_at = 0 AND t.run_at <= @now AND t.hold = '' AND t.awaits = 0
) b
GROUP BY b.kind, b.run_hours
