-- claim.sql: take a task that waits for a work, by its number, until the claim runs out. A
-- paused one is taken, too.
--
-- Touches nothing if another process has it, or it does not wait for @stage any more.
UPDATE rollcall.tasks
SET status = CASE status WHEN 'open' THEN 'splitting' ELSE status END,
    split_claim = @claim, split_until = @until, version = version + 1
WHERE num = @num AND work = @stage AND split_until < @now
RETURNING num
