-- remove_limits.sql: delete the limits of a tenant.
DELETE FROM limits WHERE tenant = @tenant
