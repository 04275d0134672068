-- keyed.sql: return the rows of a task that have one of the given keys, in file order, found by the
-- hashes of lane and key: see holders.sql.
SELECT id, row, key, key_hash, status, attempt, code, fields, resolution, score FROM rollcall.events
WHERE key_hash = ANY (cast(@hashes AS bigint[])) AND key_hash <> 0
  AND id > @low AND id < @high AND (key = ANY (cast(@keys AS text[])) OR code = 'ERASED')
ORDER BY id
