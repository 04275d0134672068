-- begin.sql: add an entry to the log and return its number.
INSERT INTO rollcall.audit_log (subject, at, actor, act, target, seq, touched, detail)
VALUES (@subject, @at, @actor, @act, @target, @seq, @touched, @detail)
RETURNING num
