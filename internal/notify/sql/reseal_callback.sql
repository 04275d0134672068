-- reseal_callback.sql: replace the stored secret of a tenant's callbacks, unless it has changed.
UPDATE rollcall.callback_secrets SET secret = @new WHERE tenant = @of AND secret = @old
