-- sources.sql: return each tenant and kind with notices to route, and the oldest notice of
-- each.
--
-- The recursion goes from the first notice of one tenant and kind to the first of the next,
-- each a probe of outbox_next_idx. The other notices are not read.
WITH RECURSIVE first (id) AS (
    SELECT (SELECT o.id FROM rollcall.outbox o WHERE o.batch = 0 ORDER BY o.tenant, o.kind, o.id LIMIT 1)
    UNION ALL
    SELECT coalesce(
        (SELECT n.id FROM rollcall.outbox n WHERE n.batch = 0 AND n.tenant = o.tenant AND n.kind > o.kind
         ORDER BY n.kind, n.id LIMIT 1),
        (SELECT n.id FROM rollcall.outbox n WHERE n.batch = 0 AND n.tenant > o.tenant
         ORDER BY n.tenant, n.kind, n.id LIMIT 1))
    FROM first JOIN rollcall.outbox o ON o.id = first.id
)
SELECT o.id, o.tenant, o.kind FROM first JOIN rollcall.outbox o ON o.id = first.id
