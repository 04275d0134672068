-- disable_made.sql: disable the webhooks that a key or user made.
UPDATE rollcall.webhooks SET enabled = FALSE, disabled_at = @now
WHERE maker = @maker AND enabled
