-- add_secret.sql: what opens a key, of which only the digest is kept.
INSERT INTO api_secrets (prefix, key_id, digest, created_at, until)
VALUES (@prefix, @id, @digest, @now, @until)
