-- due_key.sql: note until when the first row of a key with runs waits. 0 and 1 mean that it may be
-- pushed; 1 has it looked at, and changes only a key whose first row did wait.
UPDATE rollcall.held_keys SET due_at = cast(@due AS bigint) WHERE lane = @lane AND key = @key AND (cast(@due AS bigint) <> 1 OR due_at > 0)
