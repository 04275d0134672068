-- remove_deliveries.sql: delete up to @most deliveries to the webhooks of a tenant.
DELETE FROM rollcall.deliveries
WHERE num IN (
    SELECT d.num FROM rollcall.webhooks w JOIN rollcall.deliveries d ON d.webhook = w.id
    WHERE w.tenant = @tenant ORDER BY d.num LIMIT @most)
