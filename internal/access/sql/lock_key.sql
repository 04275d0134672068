-- lock_key.sql: lock a key that is not revoked, so that it is neither rotated nor revoked until the
-- transaction ends.
UPDATE rollcall.api_keys SET prefix = prefix WHERE id = @id AND revoked_at = 0
