-- disable_webhook.sql: disable a webhook whose server answered 410 Gone.
UPDATE rollcall.webhooks SET enabled = FALSE, disabled_at = @now WHERE id = @webhook
