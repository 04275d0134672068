-- page.sql: return the next imports of a tenant in a status, newest first, with the columns that filters
-- read. Reads @most entries of tasks_imports_idx.
SELECT num, status, name, kind, created_by, created_at, started_at, failed - superseded,
    error, working = 0 AND enqueue > 0
FROM rollcall.tasks
WHERE tenant = @tenant AND status = @status AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 AND num < @before
ORDER BY num DESC
LIMIT @most
