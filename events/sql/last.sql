-- last.sql: return the ids of the first and the last event of a task, or nulls if it has none. @low
-- and @high bound the ids, both excluded.
SELECT min(id), max(id) FROM rollcall.events WHERE id > @low AND id < @high
