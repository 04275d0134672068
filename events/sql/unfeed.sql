-- unfeed.sql: subtract rows that no longer wait to be fed from the counts of a feed. @rows of them were
-- never fed, and @back of them waited to be fed again.
UPDATE rollcall.feeds
SET unfed = CASE WHEN unfed > @rows THEN unfed - @rows ELSE 0 END, back = back - @back
WHERE task_num = @num
