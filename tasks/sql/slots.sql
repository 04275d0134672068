-- slots.sql: return the slots of a tenant, and how many of them are taken.
--
-- A push under way takes as many slots as it may fill. The pushes of the caller are omitted: those
-- of the tasks in @nums, such as ",7,8,", and those of the lane @lane. Jobs that have held their
-- slot for too long do not count.
SELECT l.slots,
       cast(coalesce((
         SELECT sum(t.enqueue + t.working - f.unfed - f.back - f.held
                    - CASE WHEN f.stale > t.enqueue + t.working - f.unfed - f.back - f.held
                           THEN t.enqueue + t.working - f.unfed - f.back - f.held ELSE f.stale END
                    + CASE WHEN f.claim_until > 0 AND cast(@nums AS text) NOT LIKE '%,' || f.task_num || ',%' THEN f.room ELSE 0 END)
         FROM rollcall.lanes n JOIN rollcall.feeds f ON f.lane = n.id JOIN rollcall.tasks t ON t.num = f.task_num
         WHERE n.tenant = l.tenant AND (f.fed > 0 OR f.claim_until > 0)), 0)
       + coalesce((SELECT sum(n.room) FROM rollcall.lanes n
                   WHERE n.tenant = l.tenant AND n.claim_until > 0 AND n.id <> @lane), 0) AS bigint)
FROM rollcall.limits l
WHERE l.tenant = @tenant
