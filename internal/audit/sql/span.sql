-- span.sql: return entries of a subject from @since until before @until, oldest first, with
-- numbers above @after.
SELECT num, at, actor, act, target, seq, touched, detail
FROM rollcall.audit_log
WHERE subject = @subject AND num > @after AND at >= @since AND at < @until
ORDER BY num
LIMIT @most
