-- insert_webhook.sql: register a webhook, if the tenant has not too many.
INSERT INTO webhooks (id, tenant, url, topics, secret, created_at, maker)
SELECT @id, @tenant, @url, @topics, @secret, cast(@now AS bigint), @maker
WHERE (SELECT count(*) FROM webhooks WHERE tenant = @tenant) < @most
