-- record_run.sql: store the task of a run that a user started, or that existed already. If @seen is not
-- null, it must still be the last task.
UPDATE rollcall.schedules SET last_run_at = @started, last_task_id = @task
WHERE num = @num AND (cast(@seen AS text) IS NULL OR last_task_id = cast(@seen AS text))
