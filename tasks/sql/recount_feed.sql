-- recount_feed.sql: end a second feeding after Redis was wiped.
--
-- Rows may have come to rest before they were pushed again, so what is left
-- is counted: only the rows after @fed, which were added since the feeder
-- looked. Needs the row locked before, so that the count sees every chunk.
UPDATE feeds
SET fed = @fed, claim = 0, claim_until = 0, rebuilt = FALSE,
    unfed = (SELECT count(*) FROM events
             WHERE id > @low AND id <= @high AND status IN ('enqueue', 'working'))
WHERE task_num = @num AND claim = @claim
