-- erase_read.sql: return why a row at rest is as it is, unless its contents were deleted. It
-- stays as it is until the transaction ends.
SELECT id, row, key, status, code, col, print, resolution, messages FROM events
WHERE id = ANY (cast(@ids AS bigint[])) AND status NOT IN ('enqueue', 'working') AND coalesce(code, '') <> 'ERASED'
ORDER BY id
FOR UPDATE
