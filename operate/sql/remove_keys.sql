-- remove_keys.sql: delete up to @most API keys of a tenant, with their secrets and sessions.
DELETE FROM api_keys
WHERE id IN (SELECT id FROM api_keys WHERE tenant = @tenant ORDER BY num LIMIT @most)
