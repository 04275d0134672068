-- set_awaits.sql: store which tasks a new task starts after, how many of them it still waits for,
-- and whether they must succeed.
UPDATE rollcall.tasks
SET awaits = @awaits, after_ids = @ids, after_well = CASE WHEN cast(@well AS bigint) = 1 THEN TRUE ELSE FALSE END
WHERE num = @num
