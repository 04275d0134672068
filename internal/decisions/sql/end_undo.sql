-- end_undo.sql: record that the undo of an act has ended.
UPDATE rollcall.review_acts SET undone_at = @now WHERE num = @act AND undone_at = 0
