-- ensure_secret.sql: give a tenant a signing secret, unless it has one.
INSERT INTO callback_secrets (tenant, secret, created_at)
VALUES (@tenant, @secret, @now)
ON CONFLICT (tenant) DO NOTHING
