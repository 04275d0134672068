-- insert_person.sql: a person who signs in elsewhere, unless they were here
-- before. Who has no prefix has no secret.
INSERT INTO api_keys (id, prefix, tenant, name, role, created_by, created_at, expires_at)
VALUES (@id, '', @tenant, @name, @role, @issuer, @now, 0)
ON CONFLICT (id) DO NOTHING
