-- service_faults.sql: count the rows in error of each tenant by kind. It reads, for each of the first @tenants
-- tenants with such rows, the @most newest imports with such rows. It also reads the @newest newest tasks of
-- all tenants, of any type. The first conditions are those of tasks_errors_idx: the tenants are found by
-- steps in this index. The conditions on groups are those of tenant_faults.sql.
WITH RECURSIVE tenants(name) AS (
    SELECT min(tenant) FROM rollcall.tasks
    WHERE error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    UNION ALL
    SELECT (SELECT min(t.tenant) FROM rollcall.tasks t
            WHERE t.tenant > tenants.name
              AND t.error > 0 AND t.type <> 'export' AND t.columns NOT IN ('[]', 'null') AND t.purged_at = 0)
    FROM tenants WHERE tenants.name IS NOT NULL
),
bounds AS (
    SELECT first.name, (
        SELECT t.num FROM rollcall.tasks t
        WHERE t.tenant = first.name
          AND t.error > 0 AND t.type <> 'export' AND t.columns NOT IN ('[]', 'null') AND t.purged_at = 0
        ORDER BY t.num DESC LIMIT 1 OFFSET @most
    ) AS passed
    FROM (SELECT name FROM tenants WHERE name IS NOT NULL LIMIT @tenants) AS first
)
SELECT t.tenant, t.kind, cast(sum(g.count - g.skipped) AS bigint)
FROM (
    SELECT t.num, t.tenant, t.kind
    FROM bounds b
    JOIN rollcall.tasks t ON t.tenant = b.name AND t.num > coalesce(b.passed, 0)
    WHERE t.error > 0 AND t.type <> 'export' AND t.columns NOT IN ('[]', 'null') AND t.purged_at = 0
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
