-- hold_task.sql: lock the counts of a task until the transaction ends. A transaction that has
-- changed events of the task but not yet its counts waits until then.
UPDATE rollcall.tasks SET version = version + 1 WHERE num = @num
