-- checkvalid.sql: return when a tenant's key or person was revoked and when it expires; 0: never.
SELECT revoked_at, expires_at FROM rollcall.api_keys WHERE id = @id AND tenant = @tenant
