-- take_notifications.sql: mark the oldest notifications of a tenant and kind as routed, and return them.
--
-- The mark is compared again outside the subquery: on Postgres a second router that waited
-- for the rows checks it again.
UPDATE rollcall.outbox SET batch = @batch
WHERE batch = 0 AND id IN (
    SELECT id FROM rollcall.outbox WHERE batch = 0 AND tenant = @tenant AND kind = @kind
    ORDER BY id LIMIT @most)
RETURNING id, tenant, kind, topic
