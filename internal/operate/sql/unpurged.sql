-- unpurged.sql: count the tasks of a tenant that were not purged, whether they are done or not.
SELECT count(*) FROM rollcall.tasks WHERE tenant = @tenant AND purged_at = 0
