-- seek_author.sql: seek_all.sql for the tasks that somebody made.
SELECT num, name, status, kind, created_by, created_at, purged_at
FROM tasks
WHERE tenant = @tenant AND created_by = @author AND num < @before AND num >= @from
ORDER BY num DESC
LIMIT @most
