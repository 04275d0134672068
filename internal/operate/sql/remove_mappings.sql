-- remove_mappings.sql: delete up to @most mappings of a tenant.
DELETE FROM mappings
WHERE id IN (SELECT id FROM mappings WHERE tenant = @tenant ORDER BY id LIMIT @most)
