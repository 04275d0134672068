-- find.sql: return the secret with a prefix, and its key.
SELECT s.digest, s.until, k.id, k.name, k.tenant, k.role, k.expires_at, k.revoked_at, k.last_used_at
FROM rollcall.api_secrets s
JOIN rollcall.api_keys k ON k.id = s.key_id
WHERE s.prefix = @prefix
