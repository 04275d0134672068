-- insert_webhook.sql: add a webhook, if the tenant has fewer than @most.
INSERT INTO rollcall.webhooks (id, tenant, url, topics, secret, created_at, maker)
SELECT @id, @tenant, @url, @topics, @secret, cast(@now AS bigint), @maker
WHERE (SELECT count(*) FROM rollcall.webhooks WHERE tenant = @tenant) < @most
