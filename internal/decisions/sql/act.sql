-- act.sql: return an act on a task by its id.
SELECT num, id, at, actor, act, undoes, rows, undone, undone_by, undone_at, run_at, fix
FROM rollcall.review_acts
WHERE id = @id AND task_num = @num
