-- run_act.sql: set the time at which the rows of an act are resubmitted, unless its undo has begun.
UPDATE rollcall.review_acts SET run_at = @at WHERE id = @id AND task_num = @num AND undone_by = ''
