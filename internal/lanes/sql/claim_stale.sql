-- claim_stale.sql: take the right to count the stale rows of a task.
UPDATE rollcall.feeds SET stale_at = @now WHERE task_num = @num AND stale_at < @counted
