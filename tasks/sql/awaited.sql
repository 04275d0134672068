-- awaited.sql: return the tasks that a task still waits for, oldest first.
SELECT t.num, t.id, t.name, t.status
FROM rollcall.task_after a
JOIN rollcall.tasks t ON t.num = a.after_num
WHERE a.task_num = @num AND NOT a.met
ORDER BY t.num
