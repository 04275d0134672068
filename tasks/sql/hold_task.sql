-- hold_task.sql: keep the status of a task until the transaction ends.
UPDATE tasks SET version = version WHERE num = @num
