-- tenant_paused.sql: whether a tenant is paused, and whether the owner has stopped it; none if it
-- never was.
SELECT paused, stopped FROM rollcall.limits WHERE tenant = @tenant
