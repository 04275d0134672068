-- erase.sql: delete the events of a task. @low and @high bound their ids, both excluded.
DELETE FROM events WHERE id > @low AND id < @high
