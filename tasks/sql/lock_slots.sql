-- lock_slots.sql: have claims for one tenant's slots come one after another.
UPDATE rollcall.limits SET slots = slots WHERE tenant = @tenant
