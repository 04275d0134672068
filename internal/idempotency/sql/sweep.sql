-- sweep.sql: forget keys whose time is over, unless their requests go on.
DELETE FROM idempotency
WHERE (tenant, key) IN (
    SELECT tenant, key FROM idempotency
    WHERE expires_at <= @now AND until <= @now
    ORDER BY expires_at
    LIMIT @most)
