-- take_notices.sql: mark the oldest notices of known kinds as routed.
--
-- @kinds is ",kind,,kind,". The mark is asked for again outside the subquery:
-- on Postgres a second router that waited for the rows checks it again.
UPDATE outbox SET batch = @batch
WHERE batch = 0 AND id IN (
    SELECT id FROM outbox
    WHERE batch = 0 AND replace(@kinds, ',' || kind || ',', '') <> @kinds
    ORDER BY id
    LIMIT @most)
RETURNING id, tenant, kind, topic
