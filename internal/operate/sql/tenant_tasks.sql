-- tenant_tasks.sql: return up to @most tasks of a tenant with numbers above @after, whether each is
-- done, whether it was purged, and what is left to delete of it.
SELECT num, id, finished_at > 0, purged_at > 0, sweep FROM rollcall.tasks
WHERE tenant = @tenant AND num > @after
ORDER BY num
LIMIT @most
