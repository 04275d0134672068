-- add_after.sql: store which tasks a task starts after. It still waits for those in @open.
INSERT INTO rollcall.task_after (task_num, after_num, met)
SELECT @num, num, NOT num = ANY (cast(@open AS bigint[]))
FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[]))
