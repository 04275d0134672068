-- checkpoint.sql: take over the checkpoint of a job for a run and, with data,
-- replace it; from here on older runs of the job change nothing.
--
-- Returns what is kept now, or no row if the run is given up: a later one has
-- it, or the job is at rest.
INSERT INTO rollcall.checkpoints (event_id, token, seq, data)
SELECT e.id, cast(@token AS bigint), cast(@seq AS bigint), cast(@data AS text)
FROM rollcall.events e
WHERE e.id = @id AND e.attempt <= @attempt AND e.status IN ('enqueue', 'working')
ON CONFLICT (event_id) DO UPDATE
SET token = excluded.token, seq = excluded.seq, data = coalesce(excluded.data, checkpoints.data)
WHERE checkpoints.token < excluded.token
   OR (checkpoints.token = excluded.token AND checkpoints.seq <= excluded.seq)
RETURNING data
