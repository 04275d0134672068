-- held_page.sql: return the next keys of a lane that have held rows.
SELECT key FROM rollcall.held_keys WHERE lane = @lane AND key > @after ORDER BY key LIMIT @most
