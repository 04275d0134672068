-- drop_held.sql: remove the runs of a task, which have ids from @low to @high. A feeder later
-- removes the keys that have no runs left.
DELETE FROM rollcall.held WHERE first BETWEEN @low AND @high
