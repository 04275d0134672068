-- tenant_backlog.sql: count the tasks of a tenant that may run and are not done, their rows
-- that are not in Redis, and those that are or run.
SELECT count(*), coalesce(cast(sum(b.unfed) AS bigint), 0), coalesce(cast(sum(b.queued) AS bigint), 0)
FROM (
    SELECT f.unfed + f.held + f.back AS unfed,
           CASE WHEN t.enqueue + t.working > f.unfed + f.back + f.held
                THEN t.enqueue + t.working - f.unfed - f.back - f.held ELSE 0 END AS queued
    FROM tasks t
    JOIN feeds f ON f.task_num = t.num
    WHERE t.tenant = @tenant AND t.finished_at = 0 AND t.run_at <= @now AND t.hold = ''
) b
