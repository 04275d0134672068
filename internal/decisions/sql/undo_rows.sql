-- undo_rows.sql: record that an undo has restored rows of an act.
UPDATE rollcall.review_rows AS r SET undone = TRUE
FROM ROWS (ids bigint) AS v
WHERE r.act = @act AND r.event_id = EACH (ids) AND r.event_id = v.ids AND NOT r.undone
RETURNING r.event_id AS key
