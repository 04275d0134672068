-- position.sql: return the total of a task before the holder of the claim adds rows, the lane, and
-- the names of params.
SELECT total, tenant, kind, coalesce(param_names, '') FROM rollcall.tasks WHERE num = @num AND split_claim = @claim AND NOT total_is_final
