-- versions.sql: count two columns in the table of versions. The table of Rollcall has both; Postgres
-- only.
SELECT count(*) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = @schema AND c.relname = @table AND a.attname IN ('version_id', 'is_applied') AND NOT a.attisdropped
