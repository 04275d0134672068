-- page.sql: return the next imports of a tenant in a status, newest first, with the columns that filters
-- read. Reads @most entries of tasks_imports_idx. The count of skipped rows includes skipped rows in error. So
-- the number of rows to correct may be too high, but only for a task with rows in error.
SELECT num, status, name, kind, created_by, created_at, started_at,
    failed - superseded - CASE WHEN skipped > error THEN skipped - error ELSE 0 END,
    error, working = 0 AND enqueue > 0, status = 'paused' AND hold = 'block'
FROM rollcall.tasks
WHERE tenant = @tenant AND status = @status AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 AND num < @before
ORDER BY num DESC
LIMIT @most
