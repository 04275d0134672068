-- record_failure.sql: store why a run could not start and when it is due again, unless another
-- process has started it or a user has changed the schedule since it was read.
UPDATE rollcall.schedules
SET due_at = @due, failures = failures + 1, problem = @problem
WHERE num = @num AND next_run_at = @seen AND version = @version AND NOT paused
