-- sweep_audit.sql: delete up to @most entries from the audit log of a purged task. They contain
-- texts of users.
DELETE FROM rollcall.audit_log
WHERE num IN (SELECT num FROM rollcall.audit_log WHERE subject = @subject ORDER BY num LIMIT @most)
