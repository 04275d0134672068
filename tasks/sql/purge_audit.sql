-- purge_audit.sql: forget what was done to the tasks just purged: it holds what
-- people wrote.
DELETE FROM audit
WHERE task_num IN (SELECT num FROM tasks WHERE purged_at = @now)
