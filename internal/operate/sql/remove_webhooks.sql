-- remove_webhooks.sql: delete up to @most webhooks of a tenant.
DELETE FROM webhooks
WHERE num IN (SELECT num FROM webhooks WHERE tenant = @tenant ORDER BY num LIMIT @most)
