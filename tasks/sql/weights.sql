-- weights.sql: return the number of other tenants with new or resubmitted rows of a kind to push,
-- the sum of their weights, and the weight of the tenant. A tenant whose files are still being read
-- has none. The statement reads one lane, and an entry of an index, for each tenant with the kind.
SELECT count(*), cast(coalesce(sum(coalesce(l.weight, 1)), 0) AS bigint),
       coalesce((SELECT o.weight FROM rollcall.limits o WHERE o.tenant = @tenant), 1)
FROM rollcall.lanes n
LEFT JOIN rollcall.limits l ON l.tenant = n.tenant
WHERE n.kind = @kind AND n.tenant <> @tenant AND NOT coalesce(l.paused, FALSE)
  AND EXISTS (SELECT 1 FROM rollcall.feeds f WHERE f.lane = n.id AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
              AND (f.unfed > 0 OR f.back > 0))
