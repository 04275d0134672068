-- cancel_erased.sql: cancel the tasks that wait for a task that is being deleted, and return them.
UPDATE rollcall.tasks
SET status = 'canceling', version = version + 1,
    problem = '{"code":"AFTER_CANCELED","detail":"A task, which this one was to start after, was deleted."}'
WHERE num IN (SELECT a.task_num FROM rollcall.task_after a WHERE a.after_num = @num AND NOT a.met)
  AND status IN ('open', 'splitting', 'running', 'paused')
RETURNING num
