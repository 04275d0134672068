-- drop_older.sql: delete confirmed mappings that a later one of the same headings replaces.
DELETE FROM rollcall.mappings
WHERE confirmed
    AND EXISTS (SELECT 1 FROM rollcall.mappings n WHERE n.tenant = mappings.tenant AND n.kind = mappings.kind
        AND n.print = mappings.print AND n.confirmed AND n.id > mappings.id)
