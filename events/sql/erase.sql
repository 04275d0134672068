-- erase.sql: delete the events of a task in a range. @low and @high bound their ids, both
-- excluded.
DELETE FROM rollcall.events WHERE id > @low AND id < @high
