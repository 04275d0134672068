-- decide_read.sql: return failed rows, rows in error, and rows that finished by running, and lock them
-- until the transaction ends. Rows whose contents were deleted are left out.
SELECT id, row, version, status, attempt, key, code, col, value, message, hint, fields,
       resolution, resolved_by, resolved_at, resolution_note, print, result,
       queued_at, started_at, finished_at, ran_by, score
FROM rollcall.events
WHERE id = ANY (cast(@ids AS bigint[])) AND (status IN ('failed', 'error') AND code <> 'ERASED' OR status = 'finish' AND code IS NULL)
ORDER BY id
FOR UPDATE
