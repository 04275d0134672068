-- decide.sql: write what a person has decided about bad rows, as they were read
-- and locked by decide_read.sql. Postgres' way: one array for each column.
--
-- Empty texts mean null, but for params, where they keep params and key. A row
-- that is brought to another status must be so by a legal move: see
-- transitions.go. It begins anew: its attempts are spared, what it came to is
-- forgotten.
--
-- Returns the ids of the rows that were written.
UPDATE events e
SET status = v.status, resolution = nullif(v.resolution, ''), resolved_by = @by,
    resolved_at = cast(@now AS bigint), resolution_note = nullif(v.why, ''),
    params = CASE WHEN v.params <> '' THEN v.params ELSE e.params END,
    key = CASE WHEN v.params <> '' THEN v.key ELSE e.key END,
    key_hash = CASE WHEN v.params <> '' THEN v.key_hash ELSE e.key_hash END,
    code = nullif(v.code, ''), col = nullif(v.col, ''), value = nullif(v.value, ''),
    message = nullif(v.message, ''), hint = nullif(v.hint, ''), fields = nullif(v.fields, ''),
    messages = coalesce(e.messages, '') || v.note,
    spared = CASE v.status WHEN e.status THEN e.spared ELSE e.attempt END,
    result = CASE v.status WHEN e.status THEN e.result END,
    queued_at = CASE v.status WHEN e.status THEN e.queued_at END,
    started_at = CASE v.status WHEN e.status THEN e.started_at END,
    finished_at = CASE v.status WHEN e.status THEN e.finished_at END,
    next_run_at = NULL, version = e.version + 1
FROM unnest(cast(@ids AS bigint[]), cast(@versions AS integer[]), cast(@status AS text[]),
            cast(@resolution AS text[]), cast(@why AS text[]), cast(@params AS text[]),
            cast(@key AS text[]), cast(@code AS text[]), cast(@col AS text[]),
            cast(@value AS text[]), cast(@message AS text[]), cast(@hint AS text[]),
            cast(@fields AS text[]), cast(@note AS text[]), cast(@hashes AS bigint[]))
     AS v (id, version, status, resolution, why, params, key, code, col, value, message, hint,
           fields, note, key_hash)
WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.id = v.id AND e.version = v.version AND e.bad
  AND (e.status = v.status
       OR strpos(cast(@legal AS text), ' ' || e.status || '>' || v.status || '0 ') > 0)
RETURNING e.id
