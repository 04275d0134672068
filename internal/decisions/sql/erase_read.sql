-- erase_read.sql: return key and cause of a row at rest, unless its contents were deleted. It
-- stays as it is until the transaction ends.
SELECT id, row, key, status, attempt, code, col, fields, print, resolution, messages FROM rollcall.events
WHERE id = ANY (cast(@ids AS bigint[])) AND status NOT IN ('enqueue', 'working') AND coalesce(code, '') <> 'ERASED'
ORDER BY id
FOR UPDATE
