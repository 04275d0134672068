-- add_after.sql: note that a task starts after others, of which those in @open have not ended yet
-- as the task wants it.
INSERT INTO rollcall.task_after (task_num, after_num, met)
SELECT @num, num, NOT num = ANY (cast(@open AS bigint[]))
FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[]))
