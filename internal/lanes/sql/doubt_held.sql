-- doubt_held.sql: record that an unrecorded push may have brought held rows to Redis.
UPDATE rollcall.lanes SET doubted = TRUE WHERE id = @lane
