-- known.sql: return the record of a person.
SELECT role, vouched_at, revoked_at, last_used_at FROM rollcall.api_keys WHERE id = @id
