-- claim_feed.sql: take the right to push up to @room rows of a task, if nobody
-- has pushed any since the feed was read: @fed, @again_from and @back are as they
-- were then; of resubmitted rows more may wait by now, not fewer. Of a task that
-- is being canceled, only what a lost Redis held is pushed.
UPDATE feeds SET claim = @claim, claim_until = @until, room = @room
WHERE task_num = @num AND fed = @fed AND again_from = @again_from AND back >= @back AND claim_until < @now
  AND (cancel_from < 0 OR again_from < again_to)
