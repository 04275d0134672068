-- note_run.sql: a schedule was run out of its turn, or its task was there already.
UPDATE schedules SET last_run_at = @started, last_task_id = @task WHERE num = @num
