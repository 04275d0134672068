-- cancel_held_due.sql: have the keys of held rows of a task, with ids from @low to @high, looked at
-- again: a delayed row of the task holds up no row of another task any more.
UPDATE rollcall.held_keys SET due_at = 1
WHERE due_at > 0
  AND (lane, key) IN (SELECT h.lane, h.key FROM rollcall.held h WHERE h.first BETWEEN @low AND @high)
