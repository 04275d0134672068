-- made.sql: return the keys that a key or person made: of its tenant; those of the owner are of
-- any tenant.
SELECT id, tenant FROM api_keys WHERE maker = @maker ORDER BY num
