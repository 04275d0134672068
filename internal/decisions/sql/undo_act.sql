-- undo_act.sql: add to the number of rows of an act that its undo has restored.
UPDATE rollcall.review_acts SET undone = undone + @rows WHERE num = @act
