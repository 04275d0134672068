-- wake.sql: record in tasks that they wait for one task fewer.
UPDATE rollcall.tasks SET awaits = awaits - 1, version = version + 1
WHERE num = ANY (cast(@nums AS bigint[])) AND finished_at = 0 AND awaits > 0
RETURNING num
