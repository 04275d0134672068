-- schema.sql: whether a name of a schema needs no quotes, and whether the schema is there;
-- Postgres only.
SELECT quote_ident(@schema) = @schema, to_regnamespace(quote_ident(@schema)) IS NOT NULL
