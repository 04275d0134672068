-- drop_held.sql: remove the runs of a task: those with ids from @low to @high. A feeder
-- removes keys that are left without any.
DELETE FROM rollcall.held WHERE first BETWEEN @low AND @high
