-- unmark_redis.sql: let the next process change the mark at once.
--
-- Touches nothing if another mark is in use by now.
UPDATE rollcall.ledger SET value = 0 WHERE name = 'redis' AND note = @mark
