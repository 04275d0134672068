-- advance_feed.sql: note what was pushed and give the claim back.
UPDATE feeds
SET fed = @fed, unfed = unfed - @pushed, again_from = @again_from, claim = 0, claim_until = 0
WHERE task_num = @num AND claim = @claim
