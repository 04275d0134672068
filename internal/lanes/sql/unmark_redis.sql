-- unmark_redis.sql: allow the next process to replace the generation mark at once.
--
-- It changes nothing if another mark is in use now.
UPDATE rollcall.ledger SET value = 0 WHERE name = 'redis' AND note = @mark
