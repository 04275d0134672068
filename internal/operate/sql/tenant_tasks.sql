-- tenant_tasks.sql: return up to @most tasks of a tenant with numbers above @after, whether each is
-- done, and whether it was purged.
SELECT num, id, finished_at > 0, purged_at > 0 FROM rollcall.tasks
WHERE tenant = @tenant AND num > @after
ORDER BY num
LIMIT @most
