-- decide_sqlite.sql: what decide.sql does, for one event.
UPDATE events
SET status = ?3, resolution = nullif(?4, ''), resolution_note = nullif(?5, ''),
    params = CASE WHEN ?6 <> '' THEN ?6 ELSE params END,
    key = CASE WHEN ?6 <> '' THEN ?7 ELSE key END,
    key_hash = CASE WHEN ?6 <> '' THEN ?15 ELSE key_hash END,
    code = nullif(?8, ''), col = nullif(?9, ''), value = nullif(?10, ''),
    message = nullif(?11, ''), hint = nullif(?12, ''), fields = nullif(?13, ''),
    messages = coalesce(messages, '') || ?14, resolved_by = ?16, resolved_at = ?17,
    spared = CASE ?3 WHEN status THEN spared ELSE attempt END,
    result = CASE ?3 WHEN status THEN result END,
    queued_at = CASE ?3 WHEN status THEN queued_at END,
    started_at = CASE ?3 WHEN status THEN started_at END,
    finished_at = CASE ?3 WHEN status THEN finished_at END,
    next_run_at = NULL, version = version + 1
WHERE id = ?1 AND version = ?2 AND status IN ('failed', 'error')
  AND (status = ?3 OR instr(?18, ' ' || status || '>' || ?3 || '0 ') > 0)
