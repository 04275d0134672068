-- ready_keys.sql: return those of some keys of a lane that have held rows to push. Runs of
-- tasks that are paused, canceled, held or not due do not count. Keys that wait for their time are
-- left out.
SELECT k.key FROM rollcall.held_keys k
WHERE k.lane = @lane AND k.key = ANY (cast(@keys AS text[])) AND k.due_at <= @now
  AND EXISTS (SELECT 1 FROM rollcall.held r LEFT JOIN rollcall.feeds f ON f.task_num = r.first >> 32
              WHERE r.lane = k.lane AND r.key = k.key AND coalesce(f.due_at, 0) = 0)
