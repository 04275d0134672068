-- count_rows.sql: store the number of written rows of an export as the progress of its task.
UPDATE rollcall.tasks
SET progress_done = (SELECT coalesce(sum(p.rows), 0) FROM rollcall.export_parts p WHERE p.task_num = @num),
    version = version + 1
WHERE num = @num AND finished_at = 0
