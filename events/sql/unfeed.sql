-- unfeed.sql: subtract rows that are no longer to be fed from the counts of a feed: @rows that were
-- never fed, and @back that were to be fed again.
UPDATE rollcall.feeds
SET unfed = CASE WHEN unfed > @rows THEN unfed - @rows ELSE 0 END, back = back - @back
WHERE task_num = @num
