-- callback_secrets.sql: return up to @most tenants with names above @after whose secrets do not
-- begin with @prefix.
SELECT tenant, secret FROM rollcall.callback_secrets
WHERE tenant > @after AND substr(secret, 1, length(cast(@prefix AS text))) <> @prefix
ORDER BY tenant LIMIT @most
