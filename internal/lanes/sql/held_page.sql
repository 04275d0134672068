-- held_page.sql: return the next keys of a lane that have held rows, without those that wait for
-- their time.
SELECT key FROM rollcall.held_keys WHERE lane = @lane AND due_at = 0 AND key > @after ORDER BY key LIMIT @most
