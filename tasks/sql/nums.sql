-- nums.sql: return the numbers of tasks that are not purged, oldest first.
SELECT num FROM rollcall.tasks WHERE num > @after AND purged_at = 0 ORDER BY num LIMIT @most
