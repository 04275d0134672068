-- drop.sql: let go of a key of which nothing is known yet.
DELETE FROM idempotency
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
  AND print = '' AND mark = ''
