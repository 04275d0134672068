-- holders.sql: return the rows of a task that have one of the given keys, in file order,
-- with the columns that decide whether a row holds its key. A row that finished and whose
-- contents were deleted has no key: the hash of its lane and key finds it.
--
-- @low is the id of the task's row 0, @high that of the next task.
SELECT id, row, key, key_hash, status, attempt, code, fields, resolution, score FROM rollcall.events
WHERE id > @low AND id < @high
  AND (key = ANY (cast(@keys AS text[]))
       OR code = 'ERASED' AND key_hash <> 0 AND key_hash = ANY (cast(@hashes AS bigint[])))
ORDER BY id
