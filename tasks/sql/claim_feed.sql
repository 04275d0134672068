-- claim_feed.sql: take the right to push up to @room rows of a task, if nobody
-- has pushed any since the feed was read: @fed, @again_from, @doubted and @back are as
-- they were then; of resubmitted rows more may wait by now, not fewer. Of a task that
-- is being canceled, only what a lost Redis held is pushed. The rows in doubt of a
-- push before stay in doubt, so the room never shrinks.
UPDATE feeds SET claim = @claim, claim_until = @until,
       room = CASE WHEN claim_until > 0 AND room > @room THEN room ELSE @room END
WHERE task_num = @num AND fed = @fed AND again_from = @again_from AND back >= @back AND claim_until < @now
  AND CASE WHEN claim_until > 0 THEN room ELSE 0 END = @doubted
  AND (cancel_from < 0 OR again_from < again_to)
