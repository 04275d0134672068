-- secret.sql: return the secret with a name.
SELECT secret FROM rollcall.secrets WHERE name = @name
