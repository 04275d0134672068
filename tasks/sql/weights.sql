-- weights.sql: count the other tenants with rows of a kind that wait to be pushed, and sum up
-- their weights; the last column is the weight of the tenant itself. It reads one lane, and an
-- entry of an index, for each tenant with the kind.
SELECT count(*), cast(coalesce(sum(coalesce(l.weight, 1)), 0) AS bigint),
       coalesce((SELECT o.weight FROM rollcall.limits o WHERE o.tenant = @tenant), 1)
FROM rollcall.lanes n
LEFT JOIN rollcall.limits l ON l.tenant = n.tenant
WHERE n.kind = @kind AND n.tenant <> @tenant AND NOT coalesce(l.paused, FALSE)
  AND EXISTS (SELECT 1 FROM rollcall.feeds f WHERE f.lane = n.id AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
              AND f.unfed > 0)
