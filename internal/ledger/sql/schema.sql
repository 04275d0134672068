-- schema.sql: return whether a schema name needs no quotes, and whether the schema exists;
-- Postgres only.
SELECT quote_ident(@schema) = @schema, to_regnamespace(quote_ident(@schema)) IS NOT NULL
