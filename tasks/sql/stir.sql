-- stir.sql: make the feeder report to Redis all keys with held rows in the lane of a task, as after
-- a resume. Each call sets another value, so a feeder that is already reporting starts again.
UPDATE rollcall.lanes SET stir_at = CASE WHEN stir_at <= -cast(@now AS bigint) THEN stir_at - 1 ELSE -cast(@now AS bigint) END
WHERE id = (SELECT lane FROM rollcall.feeds WHERE task_num = @num)
