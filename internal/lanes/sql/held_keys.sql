-- held_keys.sql: return those of some keys of a lane that have held rows.
SELECT key FROM rollcall.held_keys WHERE lane = @lane AND key = ANY (cast(@keys AS text[]))
