-- after.sql: return the tasks of a tenant with the given ids, youngest first, and lock them until
-- the transaction ends.
SELECT num, id, status, outcome, problem IS NOT NULL, purged_at
FROM rollcall.tasks
WHERE id = ANY (cast(@ids AS text[])) AND tenant = @tenant
ORDER BY num DESC
FOR UPDATE
