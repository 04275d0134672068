-- move_schedule.sql: a schedule goes on to its next run, unless somebody else has
-- taken this one or changed the schedule since it was read.
--
-- started is the time at which a task was made for it, in unix ms; 0: none was.
UPDATE schedules
SET next_run_at = @next, due_at = @next, failures = 0,
    problem = CASE WHEN cast(@started AS bigint) > 0 THEN NULL ELSE problem END,
    last_run_at = CASE WHEN cast(@started AS bigint) > 0 THEN cast(@started AS bigint) ELSE last_run_at END,
    last_task_id = CASE WHEN cast(@started AS bigint) > 0 THEN cast(@task AS text) ELSE last_task_id END
WHERE num = @num AND next_run_at = @seen AND version = @version AND NOT paused
