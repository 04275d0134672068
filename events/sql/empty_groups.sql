-- empty_groups.sql: delete the empty error groups of some tasks.
DELETE FROM rollcall.error_groups WHERE task_num = ANY (cast(@nums AS bigint[])) AND count <= 0
RETURNING task_num
