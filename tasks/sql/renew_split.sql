-- renew_split.sql: keep a claim for longer.
UPDATE rollcall.tasks SET split_until = @until WHERE num = @num AND split_claim = @claim
