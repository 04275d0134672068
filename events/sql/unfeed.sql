-- unfeed.sql: rows that were never fed wait no more.
UPDATE feeds SET unfed = CASE WHEN unfed > @rows THEN unfed - @rows ELSE 0 END
WHERE task_num = @num
