-- doubt_held.sql: note that a push that was not noted may have brought held rows to Redis.
UPDATE rollcall.lanes SET doubted = TRUE WHERE id = @lane
