-- seal.sql: note the fingerprint of a request, and what its effect left.
--
-- Touches nothing if somebody else has the key, or if it was given to another
-- request before.
UPDATE idempotency SET print = @print, mark = @mark
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
  AND (print = '' OR print = @print)
