-- stir_tenant.sql: make the feeders report to Redis all keys with held rows in the lanes of a
-- tenant: see stir.sql. The caller runs lock_lanes.sql first.
UPDATE rollcall.lanes SET stir_at = CASE WHEN stir_at <= -cast(@now AS bigint) THEN stir_at - 1 ELSE -cast(@now AS bigint) END
WHERE tenant = @tenant
