-- last_act.sql: return the last act of an actor on many rows of a task.
SELECT num, id, at, actor, act, undoes, rows, undone, undone_by, undone_at, run_at, fix
FROM rollcall.review_acts
WHERE task_num = @num AND actor = @actor AND act <> 'patch'
ORDER BY num DESC
LIMIT 1
