-- secret.sql: the secret of a name.
SELECT secret FROM secrets WHERE name = @name
