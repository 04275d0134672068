-- record_sqlite.sql: what record.sql does, for one event.
UPDATE events
SET status = ?4, attempt = ?5, code = ?6, col = ?7, value = ?8, message = ?9, hint = ?10,
    fields = ?11, result = coalesce(?12, result),
    messages = CASE WHEN ?13 IS NULL THEN messages ELSE coalesce(messages, '') || ?13 END,
    queued_at = coalesce(?14, queued_at), started_at = coalesce(?15, started_at),
    finished_at = ?16, next_run_at = ?17, version = version + 1
WHERE id = ?1 AND status = ?2 AND attempt = ?3
