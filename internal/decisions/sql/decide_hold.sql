-- decide_hold.sql: lock a task whose rows a person is about to decide about, so
-- that it is neither purged nor ended meanwhile. No row: it is canceled, purged,
-- refused as a whole, or not there.
UPDATE rollcall.tasks SET version = version + 1
WHERE num = @num AND purged_at = 0 AND hold <> 'refused' AND status NOT IN ('canceling', 'canceled')
RETURNING tenant, kind
