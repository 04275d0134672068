-- seal.sql: store the fingerprint of a request, and the mark of its effect.
--
-- The statement changes nothing if another process has the claim, or if the key was sealed for
-- another request.
UPDATE rollcall.idempotency SET print = @print, mark = @mark
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
  AND (print = '' OR print = @print)
