-- claim_feed.sql: take the right to push the next rows of a task.
UPDATE feeds SET claim = @claim, claim_until = @until
WHERE task_num = @num AND fed = @fed AND claim_until < @now
