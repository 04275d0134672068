-- unpurged.sql: return how many tasks of a tenant are not purged, whether they are done or not.
SELECT count(*) FROM tasks WHERE tenant = @tenant AND purged_at = 0
