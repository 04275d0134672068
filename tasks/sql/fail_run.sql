-- fail_run.sql: a run could not be started, and is tried again at due, unless
-- somebody else has started it or changed the schedule since it was read.
UPDATE schedules
SET due_at = @due, failures = failures + 1, problem = @problem
WHERE num = @num AND next_run_at = @seen AND version = @version AND NOT paused
