-- disable_webhook.sql: nothing more is told to a webhook that has said it is gone.
UPDATE webhooks SET enabled = FALSE, disabled_at = @now WHERE id = @webhook
