-- pause.sql: pause a task: stop its feeding. Its file is still read, and rows in Redis run.
UPDATE rollcall.tasks SET status = 'paused', version = version + 1
WHERE id = @id AND tenant = @tenant AND status IN ('open', 'splitting', 'running')
RETURNING num
