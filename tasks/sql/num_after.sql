-- num_after.sql: return the least number of the tasks of a tenant that were created at @at or
-- later, or 0 if there is none. Tasks that were created at about the same time may have numbers in
-- another order, so it compares the first 1,000 by time.
SELECT coalesce(min(num), 0)
FROM (SELECT num FROM rollcall.tasks
      WHERE tenant = @tenant AND created_at >= @at
      ORDER BY created_at, num
      LIMIT 1000) t
