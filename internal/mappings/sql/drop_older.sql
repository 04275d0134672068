-- drop_older.sql: delete confirmed mappings of a tenant that a later one of the same headings replaces.
DELETE FROM rollcall.mappings
WHERE tenant = @tenant AND confirmed
    AND EXISTS (SELECT 1 FROM rollcall.mappings n WHERE n.tenant = mappings.tenant AND n.kind = mappings.kind
        AND n.print = mappings.print AND n.confirmed AND n.id > mappings.id)
