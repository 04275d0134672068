-- lock_slots.sql: lock the slots and quotas of a tenant until the transaction ends, so that
-- transactions use them one after another.
UPDATE rollcall.limits SET slots = slots WHERE tenant = @tenant
