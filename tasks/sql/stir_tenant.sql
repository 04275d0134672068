-- stir_tenant.sql: have the keys of all lanes of a tenant reported to Redis, as after a resume.
UPDATE lanes SET stir_at = 0 WHERE tenant = @tenant
