-- renew_split.sql: extend a claim.
UPDATE rollcall.tasks SET split_until = @until WHERE num = @num AND split_claim = @claim
