-- zero_groups.sql: set the counts of the error groups of a task to 0, before repair_groups.sql. The
-- groups keep the texts of their faults.
UPDATE rollcall.error_groups SET count = 0, fixed = 0, skipped = 0 WHERE task_num = @num
