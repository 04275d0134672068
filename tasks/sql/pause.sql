-- pause.sql: stop feeding a task; its file is read on, and what is fed runs.
UPDATE rollcall.tasks SET status = 'paused', version = version + 1
WHERE id = @id AND tenant = @tenant AND status IN ('open', 'splitting', 'running')
RETURNING num
