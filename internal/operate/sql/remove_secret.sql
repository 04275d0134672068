-- remove_secret.sql: delete the signing secret of a tenant's callbacks.
DELETE FROM callback_secrets WHERE tenant = @tenant
