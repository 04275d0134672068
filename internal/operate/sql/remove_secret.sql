-- remove_secret.sql: delete the signing secret of a tenant's callbacks.
DELETE FROM rollcall.callback_secrets WHERE tenant = @tenant
