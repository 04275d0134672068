-- versions_sqlite.sql: count two columns that the table of versions has if Rollcall has made it: 2 if
-- it has both; SQLite only.
SELECT count(*) FROM pragma_table_info(@table) WHERE name IN ('version_id', 'is_applied')
