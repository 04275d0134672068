-- claim.sql: take a key, or take it over from who has let go of it or has died.
--
-- Touches nothing if somebody else has it, if it was answered, or if it was
-- given to a request for something else.
INSERT INTO idempotency (tenant, key, target, ref, task, owner, until, expires_at)
VALUES (@tenant, @key, @target, @ref, @task, @owner, @until, @expires)
ON CONFLICT (tenant, key) DO UPDATE
SET owner = excluded.owner, until = excluded.until
WHERE idempotency.status = 0 AND idempotency.until <= @now
  AND idempotency.target = excluded.target
