-- record_sqlite.sql: what record.sql does, with the group as one JSON array
-- of arrays.
UPDATE events
SET status = v.status, attempt = v.attempt, code = v.code, col = v.col, value = v.value,
    message = v.message, hint = v.hint, fields = v.fields,
    result = coalesce(v.result, events.result),
    messages = CASE WHEN v.note IS NULL THEN events.messages
                    ELSE coalesce(events.messages, '') || v.note END,
    queued_at = coalesce(v.queued_at, events.queued_at),
    started_at = coalesce(v.started_at, events.started_at),
    finished_at = v.finished_at, next_run_at = v.next_run_at, version = events.version + 1
FROM (SELECT value ->> 0 AS id, value ->> 1 AS from_status, value ->> 2 AS from_attempt,
             value ->> 3 AS status, value ->> 4 AS attempt, value ->> 5 AS code, value ->> 6 AS col,
             value ->> 7 AS value, value ->> 8 AS message, value ->> 9 AS hint,
             value ->> 10 AS fields, value ->> 11 AS result, value ->> 12 AS note,
             value ->> 13 AS queued_at, value ->> 14 AS started_at,
             value ->> 15 AS finished_at, value ->> 16 AS next_run_at
      FROM json_each(@rows)) AS v
WHERE events.id = v.id AND events.status = v.from_status AND events.attempt = v.from_attempt
RETURNING events.id
