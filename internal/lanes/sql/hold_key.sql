-- hold_key.sql: list a key among those that have runs. @most of its rows wait in Redis, at
-- most; of a key that is listed already, that stays.
INSERT INTO rollcall.held_keys (lane, key, most)
SELECT h.lane, h.key, @most FROM rollcall.held h WHERE h.lane = @lane AND h.key = @key LIMIT 1
ON CONFLICT (lane, key) DO NOTHING
