-- drop_groups.sql: forget the causes of a task's errors, to count them anew.
DELETE FROM error_groups WHERE task_num = @num
