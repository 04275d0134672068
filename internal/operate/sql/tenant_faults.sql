-- tenant_faults.sql: count the rows in error of a tenant by kind, in its @most newest tasks. Rows that
-- users have skipped do not count, and neither do rows without a fingerprint: see fault_groups.sql.
SELECT t.kind, cast(sum(g.count - g.skipped) AS bigint)
FROM (
    SELECT num, kind, error FROM rollcall.tasks
    WHERE tenant = @tenant AND purged_at = 0
    ORDER BY num DESC
    LIMIT @most
) t
JOIN rollcall.error_groups g ON g.task_num = t.num
WHERE t.error > 0 AND g.status = 'error' AND g.print <> '' AND g.count > g.skipped
GROUP BY t.kind
