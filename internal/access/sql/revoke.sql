-- revoke.sql: take a tenant's key back; one that is back already stays as it is.
UPDATE api_keys SET revoked_at = @now
WHERE id = @id AND tenant = @tenant AND revoked_at = 0
