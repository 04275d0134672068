-- drop.sql: delete a claimed key that has neither a fingerprint nor a mark.
DELETE FROM rollcall.idempotency
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
  AND print = '' AND mark = ''
