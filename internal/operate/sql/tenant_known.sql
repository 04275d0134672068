-- tenant_known.sql: return 1 if a tenant has tasks, limits or keys, else 0.
SELECT CASE WHEN EXISTS (SELECT 1 FROM rollcall.tasks WHERE tenant = @tenant)
    OR EXISTS (SELECT 1 FROM rollcall.limits WHERE tenant = @tenant)
    OR EXISTS (SELECT 1 FROM rollcall.api_keys WHERE tenant = @tenant) THEN 1 ELSE 0 END
