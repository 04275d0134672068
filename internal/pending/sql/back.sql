-- back.sql: resubmitted rows up to a seq that wait to be fed, in file order, and whether they
-- need to be: one that is at rest was run by a copy that Redis had still.
--
-- @low is the id of the task's row 0.
SELECT e.id, e.row, e.key, e.attempt, e.next_run_at, e.params,
       e.status NOT IN ('enqueue', 'working'), r.attempt
FROM rollcall.refeed r
JOIN rollcall.events e ON e.id = @low + r.seq
WHERE r.task_num = @num AND r.waits AND r.seq <= @last
ORDER BY r.seq
LIMIT @most
