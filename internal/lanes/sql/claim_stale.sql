-- claim_stale.sql: claim the count of the stale rows of a task, unless it was counted since
-- @counted.
UPDATE rollcall.feeds SET stale_at = @now WHERE task_num = @num AND stale_at < @counted
