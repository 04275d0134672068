-- sweep.sql: delete expired keys, unless their requests are running.
DELETE FROM rollcall.idempotency
WHERE (tenant, key) IN (
    SELECT tenant, key FROM rollcall.idempotency
    WHERE expires_at <= @now AND until <= @now
    ORDER BY expires_at
    LIMIT @most)
