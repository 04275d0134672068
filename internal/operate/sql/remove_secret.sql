-- remove_secret.sql: delete the secret of a tenant that callbacks are signed with.
DELETE FROM callback_secrets WHERE tenant = @tenant
