-- add_secret.sql: add the digest of a key's secret.
INSERT INTO api_secrets (prefix, key_id, digest, created_at, until)
VALUES (@prefix, @id, @digest, @now, @until)
