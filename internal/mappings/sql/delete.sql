-- delete.sql: delete a mapping of a tenant, and those of the same headings that it replaced. The statement
-- changes no row if there is no such mapping.
DELETE FROM rollcall.mappings
WHERE tenant = @tenant AND EXISTS (SELECT 1 FROM rollcall.mappings n WHERE n.id = @id AND n.tenant = mappings.tenant
    AND n.kind = mappings.kind AND n.print = mappings.print AND n.id >= mappings.id)
