-- mark_redis.sql: change the mark that Redis must carry; one of many wins.
UPDATE ledger SET note = @next WHERE name = 'redis' AND note = @last
