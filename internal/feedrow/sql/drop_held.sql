-- drop_held.sql: remove the groups of a task, which have ids from @low to @high. A feeder later
-- removes the keys that have no groups left.
DELETE FROM rollcall.held WHERE first BETWEEN @low AND @high
