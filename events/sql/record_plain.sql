-- record_plain.sql: what record.sql does, for moves that bring nothing but
-- times and have status and attempt in common, before and after.
--
-- Returns how many were moved and, unless these are all, their ids.
WITH moved AS (
    UPDATE events e
    SET status = @status, attempt = cast(@attempt AS smallint), code = NULL, col = NULL, value = NULL,
        message = NULL, hint = NULL, fields = NULL,
        queued_at = coalesce(nullif(v.queued_at, 0), e.queued_at),
        started_at = coalesce(nullif(v.started_at, 0), e.started_at),
        finished_at = nullif(v.finished_at, 0), next_run_at = NULL, version = e.version + 1
    FROM unnest(cast(@ids AS bigint[]), cast(@queued_at AS bigint[]), cast(@started_at AS bigint[]),
                cast(@finished_at AS bigint[]))
         AS v (id, queued_at, started_at, finished_at)
    WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.id = v.id
      AND e.status = @from_status AND e.attempt = cast(@from_attempt AS smallint)
      AND strpos(cast(@legal AS text), ' ' || cast(@from_status AS text) || '>' || cast(@status AS text)
                 || (cast(@attempt AS smallint) - cast(@from_attempt AS smallint)) || ' ') > 0
    RETURNING e.id
)
SELECT count(*), CASE WHEN count(*) < cardinality(cast(@ids AS bigint[])) THEN array_agg(id) END
FROM moved
