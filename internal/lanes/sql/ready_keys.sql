-- ready_keys.sql: return the keys among @keys with held rows that may be pushed now. Groups of tasks
-- that are paused, canceled, on hold or not due do not count. Keys that are not due are left out.
SELECT k.key FROM rollcall.held_keys k
WHERE k.lane = @lane AND k.key = ANY (cast(@keys AS text[])) AND k.due_at <= @now
  AND EXISTS (SELECT 1 FROM rollcall.held r LEFT JOIN rollcall.feeds f ON f.task_num = r.first >> 32
              WHERE r.lane = k.lane AND r.key = k.key AND coalesce(f.due_at, 0) = 0)
