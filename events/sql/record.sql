-- record.sql: move a group of events, each from the status and attempt it was
-- made for; those that are elsewhere by now stay as they are, and so do those
-- whose move is not among the legal ones: see transitions.go.
--
-- Postgres' way: one array for each column. The ids stand twice, so that the
-- primary key is used whatever the planner thinks of unnest. An array that
-- holds nothing but zeros or empty texts may be left empty: they mean null, and
-- a null in queued_at, started_at or result keeps what is there.
--
-- Returns how many were moved and, unless these are all, their ids.
WITH moved AS (
    UPDATE events e
    SET status = v.status, attempt = v.attempt, code = nullif(v.code, ''), col = nullif(v.col, ''),
        value = nullif(v.value, ''), message = nullif(v.message, ''), hint = nullif(v.hint, ''),
        fields = nullif(v.fields, ''), result = coalesce(nullif(v.result, ''), e.result),
        messages = CASE WHEN v.note <> '' THEN coalesce(e.messages, '') || v.note ELSE e.messages END,
        queued_at = coalesce(nullif(v.queued_at, 0), e.queued_at),
        started_at = coalesce(nullif(v.started_at, 0), e.started_at),
        finished_at = nullif(v.finished_at, 0), next_run_at = nullif(v.next_run_at, 0),
        version = e.version + 1
    FROM unnest(cast(@ids AS bigint[]), cast(@from_status AS text[]),
                cast(@from_attempt AS smallint[]), cast(@status AS text[]),
                cast(@attempt AS smallint[]), cast(@code AS text[]), cast(@col AS text[]),
                cast(@value AS text[]), cast(@message AS text[]), cast(@hint AS text[]),
                cast(@fields AS text[]), cast(@result AS text[]), cast(@note AS text[]),
                cast(@queued_at AS bigint[]), cast(@started_at AS bigint[]),
                cast(@finished_at AS bigint[]), cast(@next_run_at AS bigint[]))
         AS v (id, from_status, from_attempt, status, attempt, code, col, value, message, hint,
               fields, result, note, queued_at, started_at, finished_at, next_run_at)
    WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.id = v.id
      AND e.status = v.from_status AND e.attempt = v.from_attempt
      AND strpos(cast(@legal AS text),
                 ' ' || v.from_status || '>' || v.status || (v.attempt - v.from_attempt) || ' ') > 0
    RETURNING e.id
)
SELECT count(*), CASE WHEN count(*) < cardinality(cast(@ids AS bigint[])) THEN array_agg(id) END
FROM moved
