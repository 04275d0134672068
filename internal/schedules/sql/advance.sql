-- advance.sql: make the run after this one the next run of a schedule, unless another process
-- has started this one or a user has changed the schedule since it was read.
--
-- @started is the time at which the task of the run was created, in unix ms; 0 if the run has no task.
UPDATE rollcall.schedules
SET next_run_at = @next, due_at = @next, failures = 0,
    problem = CASE WHEN cast(@started AS bigint) > 0 THEN NULL ELSE problem END,
    last_run_at = CASE WHEN cast(@started AS bigint) > 0 THEN cast(@started AS bigint) ELSE last_run_at END,
    last_task_id = CASE WHEN cast(@started AS bigint) > 0 THEN cast(@task AS text) ELSE last_task_id END
WHERE num = @num AND next_run_at = @seen AND version = @version AND NOT paused
