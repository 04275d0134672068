-- webhook_secrets.sql: return up to @most webhooks with ids above @after whose secrets do not
-- begin with @prefix.
SELECT id, secret FROM rollcall.webhooks
WHERE id > @after AND substr(secret, 1, length(cast(@prefix AS text))) <> @prefix
ORDER BY id LIMIT @most
