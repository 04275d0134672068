-- held_page.sql: return the next keys of a lane that have held rows. Keys with a due time are left
-- out.
SELECT key FROM rollcall.held_keys WHERE lane = @lane AND due_at = 0 AND key > @after ORDER BY key LIMIT @most
