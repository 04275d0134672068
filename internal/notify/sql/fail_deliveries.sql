-- fail_deliveries.sql: end the waiting deliveries to a webhook that is disabled.
UPDATE rollcall.deliveries SET state = 'dead', settled_at = @now
WHERE webhook = @webhook AND state = 'waiting'
