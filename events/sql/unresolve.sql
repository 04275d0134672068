-- unresolve.sql: clear the decisions of users about rows that are no longer bad.
UPDATE rollcall.events AS e
SET resolution = NULL, resolved_by = NULL, resolved_at = NULL, resolution_note = NULL
FROM ROWS (ids bigint) AS v
WHERE e.id = EACH (ids) AND e.id = v.ids
RETURNING e.id AS key
