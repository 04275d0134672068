-- unfeed.sql: rows wait to be fed no more: @rows that never were, and @back that
-- were to be fed once more.
UPDATE rollcall.feeds
SET unfed = CASE WHEN unfed > @rows THEN unfed - @rows ELSE 0 END, back = back - @back
WHERE task_num = @num
