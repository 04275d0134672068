-- release_split.sql: give a claim back, so that another may go on at once.
UPDATE rollcall.tasks SET split_until = 0, split_claim = 0 WHERE num = @num AND split_claim = @claim
