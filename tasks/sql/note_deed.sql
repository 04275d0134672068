-- note_deed.sql: note what an operator begins to do. Returns its number.
INSERT INTO ops_audit (at, tenant, actor, act, target, touched, detail)
VALUES (@now, @tenant, @actor, @act, @target, @touched, @detail)
RETURNING num
