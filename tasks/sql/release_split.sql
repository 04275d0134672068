-- release_split.sql: release a claim, so that another process can continue at once.
UPDATE rollcall.tasks SET split_until = 0, split_claim = 0 WHERE num = @num AND split_claim = @claim
