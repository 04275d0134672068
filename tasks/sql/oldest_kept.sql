-- oldest_kept.sql: return when the oldest task that is not purged was created, of all tenants; 0 if
-- there is none. It reads the first entry of an index.
SELECT coalesce(min(created_at), 0) FROM rollcall.tasks WHERE purged_at = 0 AND created_at > 0
