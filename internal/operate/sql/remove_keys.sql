-- remove_keys.sql: delete up to @most API keys and people of a tenant, with their secrets and
-- sessions. People who are revoked stay: their issuer goes on to vouch for them.
DELETE FROM api_keys
WHERE id IN (SELECT id FROM api_keys WHERE tenant = @tenant AND (prefix <> '' OR revoked_at = 0) ORDER BY num LIMIT @most)
