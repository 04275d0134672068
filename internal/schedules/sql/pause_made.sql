-- pause_made.sql: pause the schedules that a key or user made.
UPDATE rollcall.schedules SET paused = TRUE, version = version + 1, updated_at = @now
WHERE maker = @maker AND NOT paused
