-- acts.sql: return the last acts of users on rows of a task, newest first.
SELECT num, id, at, actor, act, undoes, rows, undone, undone_by, undone_at, run_at, fix
FROM rollcall.review_acts
WHERE task_num = @num
ORDER BY num DESC
LIMIT @most
