-- erase_hold.sql: lock a task that is done, so that its rows do not change meanwhile. Returns its
-- lane, and whether its rows are closed for decisions. No row means that the task was purged, is
-- missing, or is not done.
UPDATE rollcall.tasks SET version = version + 1 WHERE num = @num AND purged_at = 0 AND finished_at > 0
RETURNING tenant, kind, hold = 'refused' OR status IN ('canceling', 'canceled')
