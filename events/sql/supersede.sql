-- supersede.sql: mark rows that have just failed as superseded. They did not run, because another
-- row of their key has finished.
UPDATE rollcall.events AS e SET resolution = 'superseded'
FROM ROWS (ids bigint) AS v
WHERE e.id = EACH (ids) AND e.id = v.ids AND e.status = 'failed'
RETURNING e.id AS key
