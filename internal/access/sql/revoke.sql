-- revoke.sql: revoke a tenant's key, unless it is revoked.
UPDATE rollcall.api_keys SET revoked_at = @now
WHERE id = @id AND tenant = @tenant AND revoked_at = 0
