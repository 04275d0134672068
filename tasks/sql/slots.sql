-- slots.sql: the slots of a tenant, and how many of them are taken.
--
-- A push under way, or in doubt, takes its whole room; those of the feeds that
-- ask, @nums as ",7,8,", are left out. Jobs that hold their slot for too long do not count.
SELECT l.slots,
       cast(coalesce((
         SELECT sum(t.enqueue + t.working - f.unfed - f.back
                    - CASE WHEN f.stale > t.enqueue + t.working - f.unfed - f.back
                           THEN t.enqueue + t.working - f.unfed - f.back ELSE f.stale END
                    + CASE WHEN f.claim_until > 0 AND cast(@nums AS text) NOT LIKE '%,' || f.task_num || ',%' THEN f.room ELSE 0 END)
         FROM feeds f JOIN tasks t ON t.num = f.task_num
         WHERE t.tenant = l.tenant), 0) AS bigint)
FROM limits l
WHERE l.tenant = @tenant
