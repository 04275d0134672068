-- reopen.sql: set a task running again that was called done too early.
UPDATE rollcall.tasks
SET status = 'running', outcome = '', round_at = finished_at, finished_at = 0, round = round + 1
WHERE num = @num AND finished_at > 0
