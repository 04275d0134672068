-- delete.sql: delete a mapping of a tenant. Touches 1 row, or none if there is no such mapping.
DELETE FROM rollcall.mappings WHERE tenant = @tenant AND id = @id
