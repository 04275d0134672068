-- cancel_split.sql: make the total of a task final, and end the claim of its splitter.
UPDATE rollcall.tasks
SET total_is_final = TRUE, split_claim = 0, split_until = 0, version = version + 1
WHERE num = @num
