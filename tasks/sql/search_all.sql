-- search_all.sql: return the next tasks of a tenant, newest first, with the columns by which Search
-- selects.
SELECT num, name, status, kind, created_by, created_at, purged_at
FROM rollcall.tasks
WHERE tenant = @tenant AND num < @before AND num >= @from
ORDER BY num DESC
LIMIT @most
