-- remove_keys.sql: delete up to @most API keys and people of a tenant, with their secrets and
-- sessions. Revoked people stay, since their issuer may issue more tokens.
DELETE FROM rollcall.api_keys
WHERE id IN (SELECT id FROM rollcall.api_keys WHERE tenant = @tenant AND (prefix <> '' OR revoked_at = 0) ORDER BY num LIMIT @most)
