-- due.sql: return the deliveries that may be attempted now: of each tenant and endpoint the
-- @most that are most overdue. Claimed deliveries are left out.
--
-- The first recursion goes from the first delivery of one tenant and endpoint to the first of the
-- next. The second goes from each of these to the later deliveries of its endpoint. Each step is a
-- probe of deliveries_next_idx.
-- Other deliveries are not read.
WITH RECURSIVE first (num) AS (
    SELECT (SELECT d.num FROM rollcall.deliveries d WHERE d.state = 'waiting'
            ORDER BY d.tenant, d.endpoint, d.next_at, d.num LIMIT 1)
    UNION ALL
    SELECT coalesce(
        (SELECT n.num FROM rollcall.deliveries n
         WHERE n.state = 'waiting' AND n.tenant = d.tenant AND n.endpoint > d.endpoint
         ORDER BY n.endpoint, n.next_at, n.num LIMIT 1),
        (SELECT n.num FROM rollcall.deliveries n WHERE n.state = 'waiting' AND n.tenant > d.tenant
         ORDER BY n.tenant, n.endpoint, n.next_at, n.num LIMIT 1))
    FROM first JOIN rollcall.deliveries d ON d.num = first.num
), due (num, place) AS (
    SELECT (SELECT n.num FROM rollcall.deliveries n
            WHERE n.state = 'waiting' AND n.tenant = d.tenant AND n.endpoint = d.endpoint
              AND n.next_at <= @now AND n.claim_until < @now
            ORDER BY n.next_at, n.num LIMIT 1), 1
    FROM first JOIN rollcall.deliveries d ON d.num = first.num
    UNION ALL
    SELECT (SELECT n.num FROM rollcall.deliveries n
            WHERE n.state = 'waiting' AND n.tenant = d.tenant AND n.endpoint = d.endpoint
              AND n.next_at <= @now AND n.claim_until < @now AND (n.next_at, n.num) > (d.next_at, d.num)
            ORDER BY n.next_at, n.num LIMIT 1), due.place + 1
    FROM due JOIN rollcall.deliveries d ON d.num = due.num
    WHERE due.place < @most
)
SELECT d.num, d.tenant, d.endpoint, d.channel, d.next_at, coalesce(l.weight, 1)
FROM due
JOIN rollcall.deliveries d ON d.num = due.num
LEFT JOIN rollcall.limits l ON l.tenant = d.tenant
