-- purge_audit.sql: forget what was done to the tasks just purged: it holds what
-- people wrote.
DELETE FROM audit_log
WHERE subject IN (SELECT 'task:' || num FROM tasks WHERE purged_at = @now)
