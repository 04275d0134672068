-- erase_read.sql: return and lock a row of a done task, unless its contents were deleted.
SELECT id, row, key, status, attempt, code, col, fields, print, resolution, messages FROM rollcall.events
WHERE id = ANY (cast(@ids AS bigint[])) AND status NOT IN ('enqueue', 'working') AND coalesce(code, '') <> 'ERASED'
ORDER BY id
FOR UPDATE
