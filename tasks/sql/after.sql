-- after.sql: the tasks of a tenant with some ids, locked until the transaction ends, youngest first.
SELECT num, id, status, outcome, problem IS NOT NULL, purged_at
FROM rollcall.tasks
WHERE id = ANY (cast(@ids AS text[])) AND tenant = @tenant
ORDER BY num DESC
FOR UPDATE
