-- advance_feed.sql: note what was pushed of a task, unless it was canceled meanwhile; of that,
-- only what a lost Redis held. @was is how far it was fed when it was claimed.
--
-- @doubted is how many of the next rows may have reached Redis all the same.
UPDATE feeds
SET fed = @fed, unfed = unfed - @pushed, pushed = pushed + @pushed, again_from = @again_from,
    claim_until = CASE WHEN @doubted = 0 THEN 0 ELSE 1 END, room = @doubted
WHERE task_num = @num AND fed = @was AND (cancel_from < 0 OR fed = @fed)
