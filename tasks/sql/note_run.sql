-- note_run.sql: a schedule was run out of its turn, or its task was there already. If
-- the caller has seen its last task, only if that is the last task still.
UPDATE schedules SET last_run_at = @started, last_task_id = @task
WHERE num = @num AND (cast(@seen AS text) IS NULL OR last_task_id = cast(@seen AS text))
