-- mark_redis.sql: replace the generation mark that Redis must have. Of several processes, only one succeeds.
--
-- value is the time of the last change, in unix ms. A mark that changed at or after @before
-- stays, because its process may not have set it in Redis yet.
UPDATE rollcall.ledger SET note = @next, value = @now
WHERE name = 'redis' AND note = @last AND value < @before
