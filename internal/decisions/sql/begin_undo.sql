-- begin_undo.sql: note which act undoes an act, unless an undo of it was begun already. Its rows
-- do not run again by themselves any more.
-- Returns the id of the undo.
UPDATE rollcall.review_acts SET run_at = 0, undone_by = CASE undone_by WHEN '' THEN cast(@by AS text) ELSE undone_by END
WHERE num = @act
RETURNING undone_by
