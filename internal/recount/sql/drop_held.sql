-- drop_held.sql: remove the held rows of a task, with ids between @low and @high. A feeder
-- removes keys that are left without any.
DELETE FROM held WHERE first > @low AND first < @high
