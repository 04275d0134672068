-- row.sql: return the entries of a subject about one row, newest first.
SELECT num, at, actor, act, target, seq, touched, detail
FROM rollcall.audit_log
WHERE subject = @subject AND seq = @seq AND seq > 0
ORDER BY num DESC
LIMIT @most
