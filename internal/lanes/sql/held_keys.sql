-- held_keys.sql: return the keys among @keys that have held rows in a lane.
SELECT key FROM rollcall.held_keys WHERE lane = @lane AND key = ANY (cast(@keys AS text[]))
