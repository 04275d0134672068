-- decide_hold.sql: lock a task before decisions about its rows, so that the task is neither purged
-- nor ended meanwhile. No row means that the task is canceled or being canceled, purged, refused as
-- a whole, or missing.
UPDATE rollcall.tasks SET version = version + 1
WHERE num = @num AND purged_at = 0 AND hold <> 'refused' AND status NOT IN ('canceling', 'canceled')
RETURNING tenant, kind
