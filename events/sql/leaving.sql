-- leaving.sql: return why events are bad, and lock them until the transaction ends. Others
-- among @ids are returned too, with their status, and locked: an event that another
-- transaction is just ending as failed or error must not move unseen.
SELECT id, status, coalesce(code, ''), coalesce(col, ''), coalesce(print, ''), row, coalesce(resolution, '')
FROM rollcall.events
WHERE id = ANY (cast(@ids AS bigint[]))
ORDER BY id
FOR UPDATE
