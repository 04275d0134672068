-- record_plain.sql: do the work of record.sql for moves that set only times and that have status
-- and attempt in common, before and after. @by is the runner of all moves; 0 keeps the runner of
-- each event.
UPDATE rollcall.events AS e
SET status = @status, attempt = cast(@attempt AS smallint), code = NULL, col = NULL, value = NULL,
    message = NULL, hint = NULL, fields = NULL,
    queued_at = coalesce(nullif(v.queued_at, 0), e.queued_at),
    started_at = coalesce(nullif(v.started_at, 0), e.started_at),
    finished_at = nullif(v.finished_at, 0), next_run_at = NULL,
    ran_by = coalesce(nullif(cast(@by AS integer), 0), e.ran_by), print = NULL,
    finished_score = CASE WHEN cast(@status AS text) = 'finish' THEN e.score END, version = e.version + 1
FROM ROWS (ids bigint, queued_at bigint, started_at bigint, finished_at bigint) AS v
WHERE e.id = EACH (ids) AND e.id = v.ids
  AND e.status = @from_status AND e.attempt = cast(@from_attempt AS smallint)
  AND cast(@legal AS text) LIKE '% ' || cast(@from_status AS text) || '>' || cast(@status AS text)
      || (cast(@attempt AS smallint) - cast(@from_attempt AS smallint)) || ' %'
RETURNING e.id AS key
