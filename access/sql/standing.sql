-- standing.sql: when a person was shut out; 0: never.
SELECT revoked_at FROM api_keys WHERE id = @id
