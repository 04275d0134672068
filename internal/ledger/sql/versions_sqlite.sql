-- versions_sqlite.sql: count two columns in the table of versions. The table of Rollcall has both;
-- SQLite only.
SELECT count(*) FROM pragma_table_info(@table) WHERE name IN ('version_id', 'is_applied')
