-- doubt_feed.sql: note that @room of the next @reach rows of tasks may have been pushed, by a
-- claim that was not given back.
UPDATE rollcall.feeds
SET room = CASE WHEN claim_until > 0 AND room > @room THEN room ELSE @room END,
    reach = CASE WHEN claim_until > 0 AND reach > @reach THEN reach ELSE @reach END, claim_until = 1
WHERE task_num = ANY (cast(@nums AS bigint[]))
