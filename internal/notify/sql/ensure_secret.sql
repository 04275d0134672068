-- ensure_secret.sql: add the signing secret of a tenant, unless it has one.
INSERT INTO rollcall.callback_secrets (tenant, secret, created_at)
VALUES (@tenant, @secret, @now)
ON CONFLICT (tenant) DO NOTHING
