-- decide.sql: write the decisions of a user about failed, error and finished rows that decide_read.sql
-- has read and locked.
--
-- An empty text means null. Empty params keep params, key, hash and score. A change of the status must be
-- a legal move: see events/move.go. It clears the result and the times of the row, and starts the count
-- of attempts again.
UPDATE rollcall.events AS e
SET status = v.status, resolution = nullif(v.resolution, ''), resolved_by = nullif(v.actor, ''),
    resolved_at = nullif(v.decided, 0), resolution_note = nullif(v.why, ''),
    params = CASE WHEN v.params <> '' THEN v.params ELSE e.params END,
    key = CASE WHEN v.params <> '' THEN v.key ELSE e.key END,
    key_hash = CASE WHEN v.params <> '' THEN v.key_hash ELSE e.key_hash END,
    score = CASE WHEN v.params <> '' THEN nullif(v.score, -9223372036854775807 - 1) ELSE e.score END,
    code = nullif(v.code, ''), col = nullif(v.col, ''), value = nullif(v.value, ''),
    message = nullif(v.message, ''), hint = nullif(v.hint, ''), fields = nullif(v.fields, ''),
    print = nullif(v.print, ''),
    messages = coalesce(e.messages, '') || v.note,
    spared = CASE v.status WHEN e.status THEN e.spared ELSE e.attempt END,
    result = CASE v.status WHEN e.status THEN e.result END,
    queued_at = CASE v.status WHEN e.status THEN e.queued_at END,
    started_at = CASE v.status WHEN e.status THEN e.started_at END,
    ran_by = CASE v.status WHEN e.status THEN e.ran_by END,
    finished_at = CASE v.status WHEN e.status THEN e.finished_at END,
    next_run_at = nullif(v.next_run_at, 0), version = e.version + 1
FROM ROWS (ids bigint, versions integer, status text, resolution text, why text, params text,
           key text, code text, col text, value text, message text, hint text, fields text,
           note text, key_hash bigint, actor text, decided bigint, print text, next_run_at bigint, score bigint) AS v
WHERE e.id = EACH (ids) AND e.id = v.ids AND e.version = v.versions AND e.status IN ('failed', 'error', 'finish')
  AND (e.status = v.status
       OR cast(@legal AS text) LIKE '% ' || e.status || '>' || v.status || '0 %')
RETURNING e.id AS key
