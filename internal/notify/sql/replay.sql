-- replay.sql: reset the attempts of a delivery and make it due. An attempt in progress keeps its
-- claim, so that no two attempts run at once.
UPDATE rollcall.deliveries
SET state = 'waiting', tries = 0, next_at = @now, settled_at = 0
WHERE num = @num
