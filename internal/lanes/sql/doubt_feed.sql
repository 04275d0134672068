-- doubt_feed.sql: record that @room of the next @reach rows of tasks may have been pushed under
-- an expired claim.
UPDATE rollcall.feeds
SET room = CASE WHEN claim_until > 0 AND room > @room THEN room ELSE @room END,
    reach = CASE WHEN claim_until > 0 AND reach > @reach THEN reach ELSE @reach END, claim_until = 1
WHERE task_num = ANY (cast(@nums AS bigint[]))
