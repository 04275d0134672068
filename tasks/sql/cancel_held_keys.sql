-- cancel_held_keys.sql: remove the keys of which only one task has runs: that with the ids
-- from @low to @high. The lane must be locked, so that
-- no feeder adds a run meanwhile.
DELETE FROM rollcall.held_keys
WHERE (lane, key) IN (SELECT h.lane, h.key FROM rollcall.held h WHERE h.first BETWEEN @low AND @high)
  AND NOT EXISTS (SELECT 1 FROM rollcall.held o WHERE o.lane = held_keys.lane AND o.key = held_keys.key
                  AND o.first NOT BETWEEN @low AND @high)
