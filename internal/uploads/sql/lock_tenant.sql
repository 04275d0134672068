-- lock_tenant.sql: create the uploads of a tenant one after another, until the transaction ends (Postgres).
SELECT pg_advisory_xact_lock(hashtextextended('rollcall.uploads ' || @tenant, 0))
