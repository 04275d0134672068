-- count_rows.sql: tell how many rows of an export are written.
UPDATE rollcall.tasks
SET progress_done = (SELECT coalesce(sum(p.rows), 0) FROM rollcall.export_parts p WHERE p.task_num = @num),
    version = version + 1
WHERE num = @num AND finished_at = 0
