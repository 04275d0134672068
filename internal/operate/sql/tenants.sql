-- tenants.sql: return the names of up to @most tenants above @after that have tasks, limits or
-- keys, in order. Each step probes an index of each table, however many records a tenant has.
WITH RECURSIVE names (name) AS (
    SELECT (SELECT min(n.tenant) FROM (
        SELECT min(tenant) AS tenant FROM rollcall.tasks WHERE tenant > @after
        UNION ALL SELECT min(tenant) FROM rollcall.limits WHERE tenant > @after
        UNION ALL SELECT min(tenant) FROM rollcall.api_keys WHERE tenant > @after) n)
    UNION ALL
    SELECT (SELECT min(n.tenant) FROM (
        SELECT min(tenant) AS tenant FROM rollcall.tasks WHERE tenant > names.name
        UNION ALL SELECT min(tenant) FROM rollcall.limits WHERE tenant > names.name
        UNION ALL SELECT min(tenant) FROM rollcall.api_keys WHERE tenant > names.name) n)
    FROM names WHERE names.name IS NOT NULL
)
SELECT name FROM names WHERE name IS NOT NULL LIMIT @most
