-- lock_lanes.sql: lock the lanes of a tenant, of all tenants if @tenant is '', in their order,
-- so that transactions that change several lanes do not wait for each other crosswise.
SELECT id FROM rollcall.lanes WHERE tenant = @tenant OR @tenant = '' ORDER BY id
FOR UPDATE
