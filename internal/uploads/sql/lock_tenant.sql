-- lock_tenant.sql: lock a tenant until the transaction ends, so that its uploads are created one after
-- another. Postgres only.
SELECT pg_advisory_xact_lock(hashtextextended('rollcall.uploads ' || @tenant, 0))
