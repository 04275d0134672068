-- stirred.sql: schedule the next report of the keys with held rows of a lane to Redis at @at. If
-- stir_at is no longer @was, a new report was requested during the pass, and nothing changes.
UPDATE rollcall.lanes SET stir_at = @at WHERE id = @lane AND stir_at = @was
