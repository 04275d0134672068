-- insert.sql: add a key without its secret.
INSERT INTO rollcall.api_keys (id, prefix, tenant, name, role, created_by, created_at, expires_at, maker)
VALUES (@id, @prefix, @tenant, @name, @role, @actor, @now, @until, @maker)
