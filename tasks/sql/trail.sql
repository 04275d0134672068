-- trail.sql: what was done to a task, newest first.
SELECT num, at, actor, act, seq, rows, detail
FROM audit
WHERE task_num = @num AND num < @before
ORDER BY num DESC
LIMIT @most
