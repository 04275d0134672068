-- hold_key.sql: list a key that has groups. At most @most of its rows wait in Redis, and its first
-- row waits until @due. If the key is listed already, both values stay.
INSERT INTO rollcall.held_keys (lane, key, most, due_at)
SELECT h.lane, h.key, @most, @due FROM rollcall.held h WHERE h.lane = @lane AND h.key = @key LIMIT 1
ON CONFLICT (lane, key) DO NOTHING
