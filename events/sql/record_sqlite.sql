-- record_sqlite.sql: what record.sql does, for one event.
UPDATE events
SET status = ?4, attempt = ?5, code = nullif(?6, ''), col = nullif(?7, ''), value = nullif(?8, ''),
    message = nullif(?9, ''), hint = nullif(?10, ''), fields = nullif(?11, ''),
    result = coalesce(nullif(?12, ''), result),
    messages = CASE WHEN ?13 <> '' THEN coalesce(messages, '') || ?13 ELSE messages END,
    queued_at = coalesce(nullif(?14, 0), queued_at),
    started_at = coalesce(nullif(?15, 0), started_at),
    finished_at = nullif(?16, 0), next_run_at = nullif(?17, 0), version = version + 1
WHERE id = ?1 AND status = ?2 AND attempt = ?3
  AND instr(?18, ' ' || ?2 || '>' || ?4 || (?5 - ?3) || ' ') > 0
