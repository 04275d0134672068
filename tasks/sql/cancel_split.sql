-- cancel_split.sql: no more rows are added; who reads the file has lost its claim.
UPDATE rollcall.tasks
SET total_is_final = TRUE, split_claim = 0, split_until = 0, version = version + 1
WHERE num = @num
