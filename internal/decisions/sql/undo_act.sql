-- undo_act.sql: count rows of an act that an undo has restored.
UPDATE rollcall.review_acts SET undone = undone + @rows WHERE num = @act
