-- service_faults.sql: count the rows in error of each tenant by kind. It reads at most @most imports with
-- such rows, and the @newest newest tasks of all tenants. The first conditions are those of tasks_errors_idx.
-- The conditions on groups are those of tenant_faults.sql.
SELECT t.tenant, t.kind, cast(sum(g.count - g.skipped) AS bigint)
FROM (
    SELECT * FROM (
        SELECT num, tenant, kind FROM rollcall.tasks
        WHERE error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
        ORDER BY tenant, num DESC
        LIMIT @most
    ) imports
    UNION
    SELECT num, tenant, kind FROM (
        SELECT num, tenant, kind, error, purged_at FROM rollcall.tasks
        ORDER BY num DESC
        LIMIT @newest
    ) newest
    WHERE error > 0 AND purged_at = 0
) t
JOIN rollcall.error_groups g ON g.task_num = t.num
WHERE g.status = 'error' AND g.print <> '' AND g.count > g.skipped
GROUP BY t.tenant, t.kind
ORDER BY t.tenant, t.kind
