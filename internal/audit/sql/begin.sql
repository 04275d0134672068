-- begin.sql: add an entry to the log. Returns its number.
INSERT INTO rollcall.audit_log (subject, at, actor, act, target, seq, touched, detail)
VALUES (@subject, @at, @actor, @act, @target, @seq, @touched, @detail)
RETURNING num
