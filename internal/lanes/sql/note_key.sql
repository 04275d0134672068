-- note_key.sql: record the greatest number of rows of a key with groups that wait in Redis.
UPDATE rollcall.held_keys SET most = @most WHERE lane = @lane AND key = @key
