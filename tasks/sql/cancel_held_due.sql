-- cancel_held_due.sql: make the keys of a task's held rows due. @low and @high bound the ids of the
-- rows, both included. The feeder then reads these keys again, since a delayed row of the task no
-- longer delays rows of other tasks.
UPDATE rollcall.held_keys SET due_at = 1
WHERE due_at > 0
  AND (lane, key) IN (SELECT h.lane, h.key FROM rollcall.held h WHERE h.first BETWEEN @low AND @high)
