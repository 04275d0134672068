-- position.sql: the total before the rows of the holder of a claim, the lane, and the names of
-- the members of params.
SELECT total, tenant, kind, coalesce(param_names, '') FROM rollcall.tasks WHERE num = @num AND split_claim = @claim AND NOT total_is_final
