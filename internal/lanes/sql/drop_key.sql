-- drop_key.sql: remove a key if it has no groups.
DELETE FROM rollcall.held_keys
WHERE lane = @lane AND key = @key
  AND NOT EXISTS (SELECT 1 FROM rollcall.held h WHERE h.lane = held_keys.lane AND h.key = held_keys.key)
