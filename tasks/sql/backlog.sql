-- backlog.sql: count tasks that may run and are not done, and their rows that have not begun
-- and may, by kind and status. Of a paused task or tenant, these are the rows that Redis has.
-- Then count the rows that are not in Redis, also those of paused tasks and tenants. The last
-- column is when the oldest task with rows that may run was made.
--
-- It reads the feed and the row of every such task.
SELECT b.kind, b.status, count(*), cast(sum(CASE WHEN b.rows > 0 THEN b.rows ELSE 0 END) AS bigint),
       cast(sum(b.unfed) AS bigint), coalesce(min(CASE WHEN b.rows > 0 THEN b.created_at END), 0)
FROM (
    SELECT t.kind, t.status, t.created_at, f.unfed + f.held + f.back AS unfed,
           t.enqueue - t.retrying - f.back
           - CASE WHEN t.status = 'paused' OR coalesce(l.paused, FALSE) THEN f.unfed + f.held ELSE 0 END AS rows
    FROM rollcall.feeds f
    JOIN rollcall.tasks t ON t.num = f.task_num
    LEFT JOIN rollcall.limits l ON l.tenant = t.tenant
    WHERE t.run_at <= @now AND t.hold = '' AND t.awaits = 0
) b
GROUP BY b.kind, b.status
