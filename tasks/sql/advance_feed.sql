-- advance_feed.sql: note what was pushed and give the claim back.
--
-- @doubted is how many of the next rows may have reached Redis all the same, -1 for
-- as many as the claim had room for. The claim's time then stays, as 1, and the room.
UPDATE feeds
SET fed = @fed, unfed = unfed - @pushed, pushed = pushed + @pushed, again_from = @again_from, claim = 0,
    claim_until = CASE WHEN @doubted = 0 THEN 0 ELSE 1 END,
    room = CASE WHEN @doubted < 0 THEN room ELSE @doubted END
WHERE task_num = @num AND claim = @claim
