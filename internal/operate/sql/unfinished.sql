-- unfinished.sql: count the tasks of a tenant that are not done.
SELECT count(*) FROM rollcall.tasks WHERE tenant = @tenant AND finished_at = 0
