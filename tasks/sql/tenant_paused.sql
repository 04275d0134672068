-- tenant_paused.sql: return whether a tenant is paused, whether the owner of the service has paused
-- it, and its run hours. It returns no row if nothing was ever set for the tenant.
SELECT paused, stopped, run_hours FROM rollcall.limits WHERE tenant = @tenant
