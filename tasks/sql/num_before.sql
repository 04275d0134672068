-- num_before.sql: return the greatest number of the tasks of a tenant that were created at @at or
-- earlier, or 0: see num_after.sql.
SELECT coalesce(max(num), 0)
FROM (SELECT num FROM rollcall.tasks
      WHERE tenant = @tenant AND created_at <= @at
      ORDER BY created_at DESC, num DESC
      LIMIT 1000) t
