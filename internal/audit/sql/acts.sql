-- acts.sql: return the last entries of a subject, newest first, without the edits of single rows.
-- Only the last 5,000 entries are read.
SELECT num, at, actor, act, target, seq, touched, detail
FROM (
    SELECT num, at, actor, act, target, seq, touched, detail
    FROM rollcall.audit_log
    WHERE subject = @subject
    ORDER BY num DESC
    LIMIT 5000
) recent
WHERE act <> 'patch'
ORDER BY num DESC
LIMIT @most
