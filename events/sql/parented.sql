-- parented.sql: one of some tasks that has a parent.
SELECT num FROM tasks WHERE num = ANY (cast(@nums AS bigint[])) AND parent > 0 LIMIT 1
