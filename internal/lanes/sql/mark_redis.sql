-- mark_redis.sql: change the mark that Redis must carry; one of many wins.
--
-- value is when it was changed last. A change younger than @before, in unix
-- ms, stands: its process may not have told Redis yet.
UPDATE rollcall.ledger SET note = @next, value = @now
WHERE name = 'redis' AND note = @last AND value < @before
