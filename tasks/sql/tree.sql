-- tree.sql: the numbers of a task and of all tasks that it waits for or has waited for: its children, those
-- that it starts after, and theirs.
WITH RECURSIVE tree (num) AS (
    SELECT cast(@num AS bigint)
    UNION
    SELECT n.num FROM tree w JOIN (
        SELECT a.task_num AS above, a.after_num AS num FROM rollcall.task_after a
        UNION ALL
        SELECT c.parent, c.num FROM rollcall.tasks c WHERE c.parent > 0
    ) n ON n.above = w.num
)
SELECT num FROM tree LIMIT @most
