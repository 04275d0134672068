-- advance_feed.sql: note what was pushed and give the claim back.
--
-- @doubt, 0 or 1, stays as the claim's time: a push whose answer was lost.
UPDATE feeds
SET fed = @fed, unfed = unfed - @pushed, pushed = pushed + @pushed, again_from = @again_from,
    claim = 0, claim_until = @doubt, room = room * cast(@doubt AS bigint)
WHERE task_num = @num AND claim = @claim
