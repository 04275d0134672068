-- purge_acts.sql: forget how users found rows of the tasks just purged: it holds what
-- people wrote.
DELETE FROM review_acts
WHERE task_num IN (SELECT num FROM tasks WHERE purged_at = @now)
