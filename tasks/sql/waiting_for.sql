-- waiting_for.sql: return the tasks that wait for given tasks. They are the parents of the given tasks,
-- and the tasks that start after them.
SELECT task_num FROM rollcall.task_after WHERE after_num = ANY (cast(@nums AS bigint[])) AND NOT met
UNION
SELECT parent FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[])) AND parent > 0
LIMIT @most
