-- cancel_feed.sql: feed nothing more of a task that is being canceled; once.
--
-- A push under way cannot be noted any more: while there is one, every row
-- may have been pushed.
UPDATE rollcall.feeds
SET cancel_from = CASE WHEN claim_until > 0 OR EXISTS (
                            SELECT 1 FROM rollcall.lanes n
                            WHERE n.id = feeds.lane AND n.claimed LIKE '%,' || feeds.task_num || ',%')
                       THEN 4294967295 ELSE fed END,
    claim_until = 0, held = 0
WHERE task_num = @num AND cancel_from < 0
