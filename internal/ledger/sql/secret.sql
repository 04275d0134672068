-- secret.sql: the secret of a name.
SELECT secret FROM rollcall.secrets WHERE name = @name
