-- replay.sql: have a delivery tried from the first try on. A try under way
-- keeps its claim, so that it is not made twice at once.
UPDATE deliveries
SET state = 'waiting', tries = 0, next_at = @now, settled_at = 0
WHERE num = @num
