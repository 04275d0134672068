-- reseal_webhook.sql: replace the stored secret of a webhook, unless it has changed.
UPDATE rollcall.webhooks SET secret = @new WHERE id = @of AND secret = @old
