-- errors.sql: return the next imports of a tenant with rows in error, newest first, as page.sql returns
-- them. Reads @most entries of tasks_errors_idx; @status is not used.
SELECT num, status, name, kind, created_by, created_at, started_at,
    failed - superseded - CASE WHEN skipped > error THEN skipped - error ELSE 0 END,
    error, working = 0 AND enqueue > 0, status = 'paused' AND hold = 'block'
FROM rollcall.tasks
WHERE tenant = @tenant AND error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 AND num < @before
ORDER BY num DESC
LIMIT @most
