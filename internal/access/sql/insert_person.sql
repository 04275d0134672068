-- insert_person.sql: add a person of an issuer, unless it exists. A person has no secret, so no
-- prefix.
INSERT INTO rollcall.api_keys (id, prefix, tenant, name, role, created_by, created_at, expires_at, vouched_at)
VALUES (@id, '', @tenant, @name, @role, @issuer, @now, 0, @vouched)
ON CONFLICT (id) DO NOTHING
