-- checkpoint.sql: take over the checkpoint of a job for a run and, with @data, replace it. Older
-- runs of the job can then no longer change it.
--
-- Returns the stored checkpoint. It returns no row if a later run has taken over, or if the job is
-- at rest.
INSERT INTO rollcall.checkpoints (event_id, token, seq, data)
SELECT e.id, cast(@token AS bigint), cast(@seq AS bigint), cast(@data AS text)
FROM rollcall.events e
WHERE e.id = @id AND e.attempt <= @attempt AND e.status IN ('enqueue', 'working')
ON CONFLICT (event_id) DO UPDATE
SET token = excluded.token, seq = excluded.seq, data = coalesce(excluded.data, checkpoints.data)
WHERE checkpoints.token < excluded.token
   OR (checkpoints.token = excluded.token AND checkpoints.seq <= excluded.seq)
RETURNING data
