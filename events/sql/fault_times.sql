-- fault_times.sql: the first @most rows of a task that ended with a system fault, with its
-- fingerprint and when they ended. The index of bad rows gives them.
SELECT print, finished_at
FROM rollcall.events
WHERE id > @low AND id < @high AND code IS NOT NULL AND status = 'error'
ORDER BY id
LIMIT @most
