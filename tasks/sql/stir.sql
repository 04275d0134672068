-- stir.sql: have the keys of a lane reported to Redis at @at; of the lane of a task, if @num
-- is not 0.
UPDATE lanes SET stir_at = @at
WHERE id = CASE WHEN cast(@num AS bigint) = 0 THEN cast(@lane AS bigint)
                ELSE (SELECT lane FROM feeds WHERE task_num = @num) END
