-- search_author.sql: return the same as search_all.sql, but only tasks of an author. The index has only tasks
-- with an author.
SELECT num, name, status, kind, created_by, created_at, purged_at
FROM rollcall.tasks
WHERE tenant = @tenant AND created_by = @author AND created_by <> '' AND num < @before AND num >= @from
ORDER BY num DESC
LIMIT @most
