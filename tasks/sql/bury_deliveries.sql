-- bury_deliveries.sql: give up what waits for a webhook that is gone.
UPDATE deliveries SET state = 'dead', settled_at = @now
WHERE webhook = @webhook AND state = 'waiting'
