-- record.sql: move a group of events, each from the status and the attempt in its move. An event
-- that has another status or attempt by now stays unchanged, and so does an event whose move is not
-- legal: see move.go.
--
-- The condition on the ids is there twice, so that Postgres uses the primary key whatever number of
-- rows it expects. A column of only zeros or empty texts may be left empty and then means null. A
-- null in queued_at, started_at or result keeps the stored value.
UPDATE rollcall.events AS e
SET status = v.status, attempt = v.attempt, code = nullif(v.code, ''), col = nullif(v.col, ''),
    value = nullif(v.value, ''), message = nullif(v.message, ''), hint = nullif(v.hint, ''),
    fields = nullif(v.fields, ''), result = coalesce(nullif(v.result, ''), e.result),
    messages = CASE WHEN v.note <> '' THEN coalesce(e.messages, '') || v.note ELSE e.messages END,
    queued_at = coalesce(nullif(v.queued_at, 0), e.queued_at),
    started_at = coalesce(nullif(v.started_at, 0), e.started_at),
    finished_at = nullif(v.finished_at, 0), next_run_at = nullif(v.next_run_at, 0),
    ran_by = coalesce(nullif(cast(@by AS integer), 0), e.ran_by), print = nullif(v.print, ''),
    finished_score = CASE WHEN v.status = 'finish' THEN e.score END,
    version = e.version + 1
FROM ROWS (ids bigint, from_status text, from_attempt smallint, status text, attempt smallint,
           code text, col text, value text, message text, hint text, fields text, result text,
           note text, queued_at bigint, started_at bigint, finished_at bigint,
           next_run_at bigint, print text) AS v
WHERE e.id = EACH (ids) AND e.id = v.ids
  AND e.status = v.from_status AND e.attempt = v.from_attempt
  AND cast(@legal AS text)
      LIKE '% ' || v.from_status || '>' || v.status || (v.attempt - v.from_attempt) || ' %'
RETURNING e.id AS key
