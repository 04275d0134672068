-- back.sql: return the resubmitted rows of a task that wait to be fed, up to a seq, in file
-- order. The column before the last reports whether a row need not be fed: it is at rest, because
-- a copy in Redis has run.
--
-- @low is the id of row 0 of the task.
SELECT e.id, e.row, e.key, e.attempt, e.next_run_at, e.params,
       e.status NOT IN ('enqueue', 'working'), r.attempt
FROM rollcall.refeed r
JOIN rollcall.events e ON e.id = @low + r.seq
WHERE r.task_num = @num AND r.waits AND r.seq <= @last
ORDER BY r.seq
LIMIT @most
