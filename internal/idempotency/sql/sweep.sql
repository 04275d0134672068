-- sweep.sql: delete expired keys, unless their requests are running.
DELETE FROM idempotency
WHERE (tenant, key) IN (
    SELECT tenant, key FROM idempotency
    WHERE expires_at <= @now AND until <= @now
    ORDER BY expires_at
    LIMIT @most)
