-- undo_act.sql: count rows of an act that an undo has restored.
UPDATE review_acts SET undone = undone + @rows, undone_by = CASE cast(@by AS text) WHEN '' THEN undone_by ELSE cast(@by AS text) END
WHERE num = @act
