-- unblock.sql: clear the problem of a task that is held because of invalid rows, once all of them are
-- fixed, skipped or resubmitted. The task stays paused.
UPDATE rollcall.tasks SET problem = NULL
WHERE num = @num AND hold = 'block' AND problem IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM rollcall.error_groups g WHERE g.task_num = @num AND g.count > g.fixed + g.skipped)
