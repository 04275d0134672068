-- lock_lanes.sql: lock the lanes of a tenant, or of all tenants if @tenant is '', in the order of
-- their ids, so that transactions that change several lanes cannot deadlock.
SELECT id FROM rollcall.lanes WHERE tenant = @tenant OR @tenant = '' ORDER BY id
FOR UPDATE
