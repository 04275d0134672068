-- fail_made.sql: end the waiting deliveries to the disabled webhooks that a key or user made.
UPDATE rollcall.deliveries SET state = 'dead', settled_at = @now
WHERE state = 'waiting' AND webhook IN (SELECT id FROM rollcall.webhooks WHERE maker = @maker AND NOT enabled)
