-- made.sql: return the keys that a key or person made. Keys of a tenant's maker are of that tenant;
-- keys of the owner are of any tenant.
SELECT id, tenant FROM rollcall.api_keys WHERE maker = @maker ORDER BY num
