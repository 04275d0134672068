-- parented.sql: return how many of some tasks have a parent. With a limit of one row, Postgres
-- would read the whole table if it has no statistics of the table yet.
SELECT count(*) FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[])) AND parent > 0
