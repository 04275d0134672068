-- set_secret.sql: set or replace a tenant's signing secret.
INSERT INTO rollcall.callback_secrets (tenant, secret, created_at)
VALUES (@tenant, @secret, @now)
ON CONFLICT (tenant) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
