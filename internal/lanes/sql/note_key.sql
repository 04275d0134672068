-- note_key.sql: note how many rows of a key with runs wait in Redis, at most.
UPDATE rollcall.held_keys SET most = @most WHERE lane = @lane AND key = @key
