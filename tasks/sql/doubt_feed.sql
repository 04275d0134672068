-- doubt_feed.sql: note that the next rows of a task may have been pushed, by a claim that
-- was not given back.
UPDATE feeds SET room = CASE WHEN claim_until > 0 AND room > @room THEN room ELSE @room END, claim_until = 1
WHERE task_num = @num
