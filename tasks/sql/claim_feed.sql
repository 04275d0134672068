-- claim_feed.sql: take the right to push the next rows of a task, if nobody
-- has pushed any since the feed was read.
UPDATE feeds SET claim = @claim, claim_until = @until
WHERE task_num = @num AND fed = @fed AND again_from = @again_from AND claim_until < @now
