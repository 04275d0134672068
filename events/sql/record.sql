-- record.sql: move a group of events, each from the status and attempt it was
-- made for; those that are elsewhere by now stay as they are.
--
-- Postgres' way: one array for each column. The ids stand twice, so that the
-- primary key is used whatever the planner thinks of unnest.
-- A null in queued_at, started_at or result keeps what is there.
UPDATE events e
SET status = v.status, attempt = v.attempt, code = v.code, col = v.col, value = v.value,
    message = v.message, hint = v.hint, fields = v.fields,
    result = coalesce(v.result, e.result),
    messages = CASE WHEN v.note IS NULL THEN e.messages ELSE coalesce(e.messages, '') || v.note END,
    queued_at = coalesce(v.queued_at, e.queued_at),
    started_at = coalesce(v.started_at, e.started_at),
    finished_at = v.finished_at, next_run_at = v.next_run_at, version = e.version + 1
FROM unnest(cast(@ids AS bigint[]), cast(@from_status AS text[]), cast(@from_attempt AS smallint[]),
            cast(@status AS text[]), cast(@attempt AS smallint[]), cast(@code AS text[]),
            cast(@col AS text[]), cast(@value AS text[]), cast(@message AS text[]),
            cast(@hint AS text[]), cast(@fields AS text[]), cast(@result AS text[]),
            cast(@note AS text[]), cast(@queued_at AS bigint[]), cast(@started_at AS bigint[]),
            cast(@finished_at AS bigint[]), cast(@next_run_at AS bigint[]))
     AS v (id, from_status, from_attempt, status, attempt, code, col, value, message, hint, fields,
           result, note, queued_at, started_at, finished_at, next_run_at)
WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.id = v.id
  AND e.status = v.from_status AND e.attempt = v.from_attempt
RETURNING e.id
