-- cancel_feed.sql: stop the feeding of a task that is being canceled. A second call changes
-- nothing.
--
-- cancel_from is the seq above which no row was pushed. A push under way can no longer be recorded.
-- During a push, every row therefore counts as pushed.
UPDATE rollcall.feeds
SET cancel_from = CASE WHEN claim_until > 0 OR EXISTS (
                            SELECT 1 FROM rollcall.lanes n
                            WHERE n.id = feeds.lane AND n.claimed LIKE '%,' || feeds.task_num || ',%')
                       THEN 4294967295 ELSE fed END,
    claim_until = 0, held = 0
WHERE task_num = @num AND cancel_from < 0
