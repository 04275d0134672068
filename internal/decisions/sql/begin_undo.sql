-- begin_undo.sql: record the act that undoes an act, unless an undo has begun already. The rows of the
-- undone act are no longer resubmitted automatically.
-- Returns the id of the undo.
UPDATE rollcall.review_acts SET run_at = 0, undone_by = CASE undone_by WHEN '' THEN cast(@by AS text) ELSE undone_by END
WHERE num = @act
RETURNING undone_by
