-- supersede.sql: note of a row that has just failed that it was superseded: it did
-- not run, for a newer row of its key has finished.
UPDATE events SET resolution = 'superseded' WHERE id = @id AND status = 'failed'
