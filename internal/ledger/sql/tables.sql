-- tables.sql: return the names of the tables in a schema; Postgres only.
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = @schema AND c.relkind IN ('r', 'p')
