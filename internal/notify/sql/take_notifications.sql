-- take_notifications.sql: mark the oldest notices of a tenant and kind as routed, and return them.
--
-- The condition on the mark is repeated outside the subquery. On Postgres, a second router that waited
-- for the rows then evaluates it again.
UPDATE rollcall.outbox SET batch = @batch
WHERE batch = 0 AND id IN (
    SELECT id FROM rollcall.outbox WHERE batch = 0 AND tenant = @tenant AND kind = @kind
    ORDER BY id LIMIT @most)
RETURNING id, tenant, kind, topic
