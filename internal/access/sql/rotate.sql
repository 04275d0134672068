-- rotate.sql: set the prefix of the new secret of a tenant's key, if the key is valid and has a secret.
UPDATE rollcall.api_keys SET prefix = @prefix
WHERE id = @id AND tenant = @tenant AND prefix <> '' AND revoked_at = 0
  AND (expires_at = 0 OR expires_at > @now)
