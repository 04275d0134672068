-- due_keys.sql: return keys of a lane whose due time has come, the earliest first.
SELECT key FROM rollcall.held_keys
WHERE lane = @lane AND due_at > 0 AND due_at <= @now
ORDER BY due_at
LIMIT @most
