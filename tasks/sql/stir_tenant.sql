-- stir_tenant.sql: have the keys of all lanes of a tenant reported to Redis, as after a resume:
-- see stir.sql. lock_lanes.sql comes first.
UPDATE rollcall.lanes SET stir_at = CASE WHEN stir_at <= -cast(@now AS bigint) THEN stir_at - 1 ELSE -cast(@now AS bigint) END
WHERE tenant = @tenant
