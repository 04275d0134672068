-- position.sql: the total before the rows of the holder of a claim, and the lane.
SELECT total, tenant, kind FROM tasks WHERE num = @num AND split_claim = @claim AND NOT total_is_final
