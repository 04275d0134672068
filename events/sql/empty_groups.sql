-- empty_groups.sql: forget the causes that no row of a task has any more.
DELETE FROM error_groups WHERE task_num = @num AND count <= 0
