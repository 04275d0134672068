-- newer.sql: a row of a lane, behind @id, that has a key and has finished by
-- running; no row if there is none. The index gives the first one. @hash is that of lane and key.
-- A row whose contents were deleted has the code ERASED and is found by the hash alone.
-- The ids are compared together with the hash: Postgres would else take "id > x" for
-- a condition that few rows meet, and read all newer rows instead of those of a key.
SELECT id FROM rollcall.events
WHERE key_hash = @hash AND key_hash <> 0 AND (key_hash, id) > (@hash, @id) AND status = 'finish'
  AND (code IS NULL AND key = @key OR code = 'ERASED')
LIMIT 1
