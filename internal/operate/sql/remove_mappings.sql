-- remove_mappings.sql: delete up to @most mappings of a tenant.
DELETE FROM rollcall.mappings
WHERE id IN (SELECT id FROM rollcall.mappings WHERE tenant = @tenant ORDER BY id LIMIT @most)
