-- num_after.sql: a number below those of all tasks of a tenant that were made at a
-- time or later. Numbers and times follow each other but for those that were
-- made at about the same time.
SELECT coalesce(min(num), 0)
FROM (SELECT num FROM rollcall.tasks
      WHERE tenant = @tenant AND created_at >= @at
      ORDER BY created_at, num
      LIMIT 1000) t
