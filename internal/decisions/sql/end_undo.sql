-- end_undo.sql: note that the undo of an act has come to its end.
UPDATE rollcall.review_acts SET undone_at = @now WHERE num = @act AND undone_at = 0
