-- stir.sql: have the keys of the lane of a task reported to Redis, as after a resume. Each call
-- sets another value, so a feeder that is reporting them begins anew.
UPDATE rollcall.lanes SET stir_at = CASE WHEN stir_at <= -cast(@now AS bigint) THEN stir_at - 1 ELSE -cast(@now AS bigint) END
WHERE id = (SELECT lane FROM rollcall.feeds WHERE task_num = @num)
