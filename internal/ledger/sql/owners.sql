-- owners.sql: return 1 if an API key was ever created, else 0. Also return the number of the
-- owner's API keys that are valid at @now, in unix ms.
SELECT CASE WHEN EXISTS (SELECT 1 FROM rollcall.api_keys)
        OR EXISTS (SELECT 1 FROM rollcall.ledger WHERE name = 'keyed') THEN 1 ELSE 0 END,
    (SELECT count(*) FROM rollcall.api_keys
        WHERE tenant = '' AND revoked_at = 0 AND (expires_at = 0 OR expires_at > @now))
