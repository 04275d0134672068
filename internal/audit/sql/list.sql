-- list.sql: return the entries of a subject, newest first.
SELECT num, at, actor, act, target, seq, touched, detail
FROM rollcall.audit_log
WHERE subject = @subject AND num < @before
ORDER BY num DESC
LIMIT @most
