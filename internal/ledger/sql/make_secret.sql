-- make_secret.sql: a secret, unless there is one of that name.
INSERT INTO rollcall.secrets (name, secret) VALUES (@name, @secret)
ON CONFLICT (name) DO NOTHING
