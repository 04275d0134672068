-- reopen.sql: set the status of a task to running. The task was marked as done, although some of
-- its rows are not at rest.
UPDATE rollcall.tasks
SET status = 'running', outcome = '', round_at = finished_at, finished_at = 0, round = round + 1
WHERE num = @num AND finished_at > 0
