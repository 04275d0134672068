-- newer_version.sql: return the row of a lane that has a key and the greatest version that has
-- finished by running, unless that version is less than @version. Of equal versions, only that of a
-- row above @id counts. See states.sql, which decides. @hash is the hash of lane and key. A row whose
-- contents were deleted has the code ERASED and is found by the hash only.
SELECT id FROM rollcall.events
WHERE key_hash = @hash AND key_hash <> 0 AND finished_score >= @version AND (finished_score > @version OR id > @id)
  AND status = 'finish' AND (code IS NULL AND key = @key OR code = 'ERASED')
ORDER BY finished_score DESC
LIMIT 1
