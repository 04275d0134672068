-- versions.sql: count two columns that the table of versions has if Rollcall has made it: 2 if it has
-- both; Postgres only.
SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = @schema AND c.relname = @table AND a.attname IN ('version_id', 'is_applied') AND NOT a.attisdropped
