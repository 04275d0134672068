-- make_secret.sql: add a secret, unless a secret has this name.
INSERT INTO rollcall.secrets (name, secret) VALUES (@name, @secret)
ON CONFLICT (name) DO NOTHING
