-- advance_feed.sql: note what was pushed of a task, unless it was canceled meanwhile; of that,
-- only what a lost Redis held. @was is how far it was fed when it was claimed.
--
-- Up to @room of the next @doubted rows may have reached Redis all the same.
UPDATE feeds
SET fed = @fed, unfed = unfed - @waited, pushed = pushed + @pushed,
    held = CASE WHEN cancel_from < 0 THEN held + @held ELSE 0 END, again_from = @again_from,
    claim_until = CASE WHEN @doubted = 0 THEN 0 ELSE 1 END, reach = @doubted,
    room = CASE WHEN claim_until > 0 AND room > @room AND room < @doubted THEN room
                WHEN claim_until > 0 AND room > @room OR @doubted < @room THEN @doubted ELSE @room END
WHERE task_num = @num AND fed = @was AND (cancel_from < 0 OR fed = @fed)
