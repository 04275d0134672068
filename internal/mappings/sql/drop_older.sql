-- drop_older.sql: delete confirmed mappings if a later confirmed mapping has the same headings.
DELETE FROM rollcall.mappings
WHERE confirmed
    AND EXISTS (SELECT 1 FROM rollcall.mappings n WHERE n.tenant = mappings.tenant AND n.kind = mappings.kind
        AND n.print = mappings.print AND n.confirmed AND n.id > mappings.id)
