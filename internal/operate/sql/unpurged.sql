-- unpurged.sql: return how many tasks of a tenant are not purged, done or not.
SELECT count(*) FROM rollcall.tasks WHERE tenant = @tenant AND purged_at = 0
