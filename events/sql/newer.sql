-- newer.sql: return a row of a lane above @id that has a key and has finished by running, if there
-- is one. @hash is the hash of lane and key. A row whose contents were deleted has the code ERASED
-- and is found by the hash only.
--
-- The ids are compared together with the hash. Otherwise Postgres would expect few rows for "id >
-- x", and would read all newer rows instead of those of the key.
SELECT id FROM rollcall.events
WHERE key_hash = @hash AND key_hash <> 0 AND (key_hash, id) > (@hash, @id) AND status = 'finish'
  AND (code IS NULL AND key = @key OR code = 'ERASED')
LIMIT 1
