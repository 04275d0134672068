-- hold_task.sql: keep a task's counts from moving until the transaction ends.
-- Who has changed events and not counted them yet waits here.
UPDATE rollcall.tasks SET version = version + 1 WHERE num = @num
