-- due_key.sql: store the start time of the first row of a key with groups. 0 means that the row need
-- not wait. 1 means that the first row must be read again, and changes only a key with a start
-- time.
UPDATE rollcall.held_keys SET due_at = cast(@due AS bigint) WHERE lane = @lane AND key = @key AND (cast(@due AS bigint) <> 1 OR due_at > 0)
