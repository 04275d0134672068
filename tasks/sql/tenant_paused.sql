-- tenant_paused.sql: whether a tenant is paused; none if it never was.
SELECT paused FROM limits WHERE tenant = @tenant
