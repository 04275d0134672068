-- newer_version.sql: of the rows of a lane that have a key and finished by running, return the row
-- with the greatest version. It returns no row if that version is less than @version. A row with the
-- version @version counts only if its id is above @id. See states.sql, which decides. @hash is the
-- hash of lane and key. A row whose contents were deleted has the code ERASED and is found by the
-- hash only.
SELECT id FROM rollcall.events
WHERE key_hash = @hash AND key_hash <> 0 AND finished_score >= @version AND (finished_score > @version OR id > @id)
  AND status = 'finish' AND (code IS NULL AND key = @key OR code = 'ERASED')
ORDER BY finished_score DESC
LIMIT 1
