-- leaving.sql: return why events are bad, and lock them until the transaction ends. Events with
-- another status are also returned and locked: another transaction may just be ending them as
-- failed or error.
SELECT id, status, coalesce(code, ''), coalesce(col, ''), coalesce(print, ''), row, coalesce(resolution, '')
FROM rollcall.events
WHERE id = ANY (cast(@ids AS bigint[]))
ORDER BY id
FOR UPDATE
