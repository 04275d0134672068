-- add_secret.sql: add the digest of a key's secret.
INSERT INTO rollcall.api_secrets (prefix, key_id, digest, created_at, until)
VALUES (@prefix, @id, @digest, @now, @until)
