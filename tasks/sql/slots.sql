-- slots.sql: the slots of a tenant, and how many of them are taken.
--
-- A push under way, or in doubt, takes its whole room; that of the feed that
-- asks is left out. Jobs that hold their slot for too long do not count.
SELECT l.slots,
       cast(coalesce((
         SELECT sum(t.enqueue + t.working - f.unfed
                    - CASE WHEN f.stale > t.enqueue + t.working - f.unfed
                           THEN t.enqueue + t.working - f.unfed ELSE f.stale END
                    + CASE WHEN f.claim_until > 0 AND f.task_num <> @num THEN f.room ELSE 0 END)
         FROM feeds f JOIN tasks t ON t.num = f.task_num
         WHERE t.tenant = l.tenant), 0) AS bigint)
FROM limits l
WHERE l.tenant = @tenant
