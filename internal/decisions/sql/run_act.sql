-- run_act.sql: set when the rows of an act run again. An act whose undo has begun stays as it is.
UPDATE rollcall.review_acts SET run_at = @at WHERE id = @id AND task_num = @num AND undone_by = ''
