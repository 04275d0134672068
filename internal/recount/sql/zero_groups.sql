-- zero_groups.sql: set the numbers of a task's causes of errors to 0, to count them anew.
-- The texts of faults stay.
UPDATE rollcall.error_groups SET count = 0, fixed = 0, skipped = 0 WHERE task_num = @num
