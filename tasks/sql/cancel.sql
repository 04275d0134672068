-- cancel.sql: begin to cancel a task.
UPDATE rollcall.tasks SET status = 'canceling', version = version + 1
WHERE id = @id AND tenant = @tenant AND status IN ('open', 'splitting', 'running', 'paused')
RETURNING num
