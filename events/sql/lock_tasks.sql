-- lock_tasks.sql: lock tasks until the transaction ends, youngest first.
SELECT num FROM rollcall.tasks WHERE num = ANY (cast(@nums AS bigint[])) ORDER BY num DESC FOR UPDATE
