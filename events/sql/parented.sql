-- parented.sql: how many of some tasks have a parent. With LIMIT 1, Postgres reads the whole table
-- if it has no statistics of it yet.
SELECT count(*) FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[])) AND parent > 0
