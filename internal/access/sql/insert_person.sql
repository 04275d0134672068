-- insert_person.sql: a person for whom an issuer vouches, unless the person was here before.
-- A person has no secret, so no prefix.
INSERT INTO api_keys (id, prefix, tenant, name, role, created_by, created_at, expires_at, vouched_at)
VALUES (@id, '', @tenant, @name, @role, @issuer, @now, 0, @vouched)
ON CONFLICT (id) DO NOTHING
