-- remove_answers.sql: delete up to @most stored responses of a tenant, with their idempotency keys.
DELETE FROM rollcall.idempotency
WHERE (tenant, key) IN (SELECT tenant, key FROM rollcall.idempotency WHERE tenant = @tenant ORDER BY key LIMIT @most)
