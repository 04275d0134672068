-- remove_webhooks.sql: delete up to @most webhooks of a tenant.
DELETE FROM rollcall.webhooks
WHERE num IN (SELECT num FROM rollcall.webhooks WHERE tenant = @tenant ORDER BY num LIMIT @most)
