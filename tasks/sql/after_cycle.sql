-- after_cycle.sql: how many of some tasks wait for a parent: as its ancestors do, and tasks that start
-- after it or after these. A child of the parent that started after one of them would wait for itself.
WITH RECURSIVE waiting (num) AS (
    SELECT cast(@parent AS bigint)
    UNION
    SELECT n.num FROM waiting w JOIN (
        SELECT a.after_num AS below, a.task_num AS num FROM rollcall.task_after a WHERE NOT a.met
        UNION ALL
        SELECT c.num, c.parent FROM rollcall.tasks c WHERE c.parent > 0
    ) n ON n.below = w.num
)
SELECT count(*) FROM waiting WHERE num = ANY (cast(@nums AS bigint[]))
