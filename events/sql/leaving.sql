-- leaving.sql: why events are bad that are about to be so no more; they stay as
-- they are until the transaction ends.
SELECT id, status, coalesce(code, ''), coalesce(col, ''), coalesce(print, ''), row, coalesce(resolution, '')
FROM events
WHERE id = ANY (cast(@ids AS bigint[])) AND status IN ('failed', 'error')
ORDER BY id
FOR UPDATE
