-- service_faults.sql: count the rows in error of each tenant by kind, in the @most newest tasks of all
-- tenants. The conditions are those of tenant_faults.sql.
SELECT t.tenant, t.kind, cast(sum(g.count - g.skipped) AS bigint)
FROM (
    SELECT num, tenant, kind, error FROM rollcall.tasks
    WHERE purged_at = 0
    ORDER BY num DESC
    LIMIT @most
) t
JOIN rollcall.error_groups g ON g.task_num = t.num
WHERE t.error > 0 AND g.status = 'error' AND g.print <> '' AND g.count > g.skipped
GROUP BY t.tenant, t.kind
ORDER BY t.tenant, t.kind
