-- unfinished.sql: return how many tasks of a tenant are not done.
SELECT count(*) FROM rollcall.tasks WHERE tenant = @tenant AND finished_at = 0
