-- lock_feed.sql: hold the feed's row, so that no chunk is added meanwhile.
UPDATE feeds SET claim = claim WHERE task_num = @num AND claim = @claim
