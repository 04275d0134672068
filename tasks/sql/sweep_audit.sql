-- sweep_audit.sql: delete up to @most entries of what was done to a purged task: they hold
-- what people wrote.
DELETE FROM rollcall.audit_log
WHERE num IN (SELECT num FROM rollcall.audit_log WHERE subject = @subject ORDER BY num LIMIT @most)
