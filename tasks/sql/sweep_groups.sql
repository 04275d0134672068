-- sweep_groups.sql: delete up to @most error groups of a purged task.
DELETE FROM rollcall.error_groups
WHERE (task_num, status, code, col, print) IN (
    SELECT task_num, status, code, col, print FROM rollcall.error_groups WHERE task_num = @num LIMIT @most)
