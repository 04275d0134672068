-- times.sql: return the fingerprints and the end times of the first @most rows of a task that
-- ended with a system fault. It reads the index of bad rows.
SELECT print, finished_at
FROM rollcall.events
WHERE id > @low AND id < @high AND code IS NOT NULL AND status = 'error'
ORDER BY id
LIMIT @most
