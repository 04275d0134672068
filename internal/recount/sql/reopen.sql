-- reopen.sql: set a task to running that was marked as done although rows of it are not at rest.
UPDATE rollcall.tasks
SET status = 'running', outcome = '', round_at = finished_at, finished_at = 0, round = round + 1
WHERE num = @num AND finished_at > 0
