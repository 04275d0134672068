-- cancel_held_due.sql: make the keys due of which a task has held rows, with ids from @low to
-- @high. The feeder then reads these keys again, since a delayed row of the task no longer delays
-- rows of other tasks.
UPDATE rollcall.held_keys SET due_at = 1
WHERE due_at > 0
  AND (lane, key) IN (SELECT h.lane, h.key FROM rollcall.held h WHERE h.first BETWEEN @low AND @high)
