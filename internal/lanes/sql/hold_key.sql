-- hold_key.sql: list a key among those that have runs. @most of its rows wait in Redis, at
-- most, and its first row waits until @due; of a key that is listed already, both stay.
INSERT INTO rollcall.held_keys (lane, key, most, due_at)
SELECT h.lane, h.key, @most, @due FROM rollcall.held h WHERE h.lane = @lane AND h.key = @key LIMIT 1
ON CONFLICT (lane, key) DO NOTHING
