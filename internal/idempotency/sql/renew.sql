-- renew.sql: extend a claim.
UPDATE rollcall.idempotency SET until = @until
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
