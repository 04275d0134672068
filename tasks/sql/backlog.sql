-- backlog.sql: count unfinished work by kind, status and run hours of the tenant.
--
-- The columns after these are:
--   tasks that may run and are not done;
--   their rows that may run and have not started, of a paused task or tenant only those in Redis;
--   their rows in Redis that have not started;
--   their rows that are not in Redis, also of paused tasks and tenants;
--   of these rows, those that wait only for other rows of their keys;
--   of these rows, those of a paused task or tenant;
--   when the oldest task with rows that may run was created;
--   when the oldest task with such rows in Redis was created.
--
-- It reads the feed and the row of every such task.
SELECT b.kind, b.status, b.run_hours, count(*),
       cast(sum(CASE WHEN b.rows > 0 THEN b.rows ELSE 0 END) AS bigint),
       cast(sum(CASE WHEN b.in_redis > 0 THEN b.in_redis ELSE 0 END) AS bigint),
       cast(sum(b.unfed) AS bigint),
       cast(sum(CASE WHEN b.stopped THEN 0 ELSE b.held END) AS bigint),
       cast(sum(CASE WHEN b.stopped THEN b.unfed ELSE 0 END) AS bigint),
       coalesce(min(CASE WHEN b.rows > 0 THEN b.created_at END), 0),
       coalesce(min(CASE WHEN b.in_redis > 0 THEN b.created_at END), 0)
FROM (
    SELECT t.kind, t.status, t.created_at, coalesce(l.run_hours, '') AS run_hours, f.unfed + f.held + f.back AS unfed,
           f.held, t.status = 'paused' OR coalesce(l.paused, FALSE) AS stopped,
           t.enqueue - t.retrying - f.back - f.unfed - f.held AS in_redis,
           t.enqueue - t.retrying - f.back
           - CASE WHEN t.status = 'paused' OR coalesce(l.paused, FALSE) THEN f.unfed + f.held ELSE 0 END AS rows
    FROM rollcall.feeds f
    JOIN rollcall.tasks t ON t.num = f.task_num
    LEFT JOIN rollcall.limits l ON l.tenant = t.tenant
    WHERE t.run_at <= @now AND t.hold = '' AND t.awaits = 0
) b
GROUP BY b.kind, b.status, b.run_hours
