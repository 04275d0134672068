-- claim.sql: claim a task, by its number, until the time @until. A paused task can be claimed, too.
--
-- Changes nothing if another process has a claim, or if the task does not wait for @stage any more.
UPDATE rollcall.tasks
SET status = CASE status WHEN 'open' THEN 'splitting' ELSE status END,
    split_claim = @claim, split_until = @until, version = version + 1
WHERE num = @num AND work = @stage AND split_until < @now
RETURNING num
