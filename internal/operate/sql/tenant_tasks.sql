-- tenant_tasks.sql: return up to @most tasks of a tenant with numbers above @after, whether
-- each is done, whether it was purged, and the names of the members of its rows' params.
SELECT num, id, finished_at > 0, purged_at > 0, sweep, coalesce(param_names, '') FROM tasks
WHERE tenant = @tenant AND num > @after
ORDER BY num
LIMIT @most
