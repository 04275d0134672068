-- expire.sql: delete up to @most entries older than @before, except for those of tasks, which are
-- deleted with their tasks.
DELETE FROM rollcall.audit_log
WHERE num IN (
    SELECT num FROM rollcall.audit_log WHERE at < @before AND substr(subject, 1, 5) <> 'task:' ORDER BY at LIMIT @most
)
