-- release.sql: release a claim.
UPDATE rollcall.idempotency SET owner = 0, until = 0
WHERE tenant = @tenant AND key = @key AND owner = @owner AND status = 0
