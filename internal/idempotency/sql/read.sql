-- read.sql: return the record of a key.
SELECT target, ref, owner, print, mark, status, head, body
FROM rollcall.idempotency
WHERE tenant = @tenant AND key = @key
