-- take_slots.sql: lock the slots of a tenant without waiting. It returns no row if another
-- transaction has locked the slots or quotas of the tenant. That may be the transaction of a Go
-- program that adds jobs, of any length; feeders serve other tenants meanwhile.
SELECT slots FROM rollcall.limits WHERE tenant = @tenant FOR UPDATE SKIP LOCKED
