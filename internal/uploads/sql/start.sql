-- start.sql: note that an upload has become a task: it does not count as one that waits.
UPDATE rollcall.uploads SET started_at = @now WHERE id = @id AND started_at = 0
