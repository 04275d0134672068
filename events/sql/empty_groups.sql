-- empty_groups.sql: forget the causes that no row of some tasks has any more.
DELETE FROM rollcall.error_groups WHERE task_num = ANY (cast(@nums AS bigint[])) AND count <= 0
RETURNING task_num
