-- weights.sql: return, by run hours, the number of other tenants with new or resubmitted rows of a kind to
-- push, and the sum of their weights. The first row, with the number 0, has the weight of the tenant. A
-- tenant does not count if its files are still being read and all rows read so far were pushed. The statement
-- reads one lane, and an entry of an index, for each tenant with the kind.
SELECT '', 0, cast(coalesce((SELECT o.weight FROM rollcall.limits o WHERE o.tenant = @tenant), 1) AS bigint)
UNION ALL
SELECT coalesce(l.run_hours, ''), count(*), cast(sum(coalesce(l.weight, 1)) AS bigint)
FROM rollcall.lanes n
LEFT JOIN rollcall.limits l ON l.tenant = n.tenant
WHERE n.kind = @kind AND n.tenant <> @tenant AND NOT coalesce(l.paused, FALSE)
  AND EXISTS (SELECT 1 FROM rollcall.feeds f WHERE f.lane = n.id AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
              AND (f.unfed > 0 OR f.back > 0))
GROUP BY coalesce(l.run_hours, '')
