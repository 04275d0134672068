-- versions_sqlite.sql: how many of the columns that hold the versions the table of versions has, 2 if
-- Rollcall made it; SQLite only.
SELECT count(*) FROM pragma_table_info(@table) WHERE name IN ('version_id', 'is_applied')
