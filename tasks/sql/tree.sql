-- tree.sql: return the tasks that some tasks wait for or have waited for: their children, and those
-- that they start after.
SELECT after_num FROM rollcall.task_after WHERE task_num = ANY (cast(@nums AS bigint[]))
UNION
SELECT num FROM rollcall.tasks WHERE parent > 0 AND parent = ANY (cast(@nums AS bigint[]))
LIMIT @most
