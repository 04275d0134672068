-- seek_all.sql: the next tasks of a tenant, newest first, as far as a filter has
-- to know them.
SELECT num, name, status, kind, created_by, created_at, purged_at
FROM rollcall.tasks
WHERE tenant = @tenant AND num < @before AND num >= @from
ORDER BY num DESC
LIMIT @most
