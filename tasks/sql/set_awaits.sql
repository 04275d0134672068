-- set_awaits.sql: have a new task wait for others.
UPDATE rollcall.tasks
SET awaits = @awaits, after_ids = @ids, after_well = CASE WHEN cast(@well AS bigint) = 1 THEN TRUE ELSE FALSE END
WHERE num = @num
