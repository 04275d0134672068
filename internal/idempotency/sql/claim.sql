-- claim.sql: claim a key, or take over a released or expired claim.
--
-- The statement changes nothing if another process has the claim, if there is a response, or if the
-- key belongs to another operation.
INSERT INTO rollcall.idempotency (tenant, key, target, ref, task, owner, until, expires_at)
VALUES (@tenant, @key, @target, @ref, @task, @owner, @until, @expires)
ON CONFLICT (tenant, key) DO UPDATE
SET owner = excluded.owner, until = excluded.until
WHERE idempotency.status = 0 AND idempotency.until <= @now
  AND idempotency.target = excluded.target
