-- decide_read.sql: bad rows as they are, locked until the transaction ends.
SELECT id, row, version, status, attempt, key, code, col, value, message, hint, fields,
       resolution, resolved_by, resolved_at, resolution_note, print, finished_at
FROM events
WHERE id = ANY (cast(@ids AS bigint[])) AND bad
ORDER BY id
FOR UPDATE
