-- cancel_held_keys.sql: delete the keys whose held rows all belong to one task. @low and @high bound
-- the ids of these rows, both included. The caller has locked the lane, so that no feeder adds held
-- rows meanwhile.
DELETE FROM rollcall.held_keys
WHERE (lane, key) IN (SELECT h.lane, h.key FROM rollcall.held h WHERE h.first BETWEEN @low AND @high)
  AND NOT EXISTS (SELECT 1 FROM rollcall.held o WHERE o.lane = held_keys.lane AND o.key = held_keys.key
                  AND o.first NOT BETWEEN @low AND @high)
