-- renew.sql: go on having a key.
UPDATE idempotency SET until = @until
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
