-- add_counts.sql: raise the counts of a task by a chunk of new events, and extend the claim.
--
-- Changes nothing unless the writer of the chunk still has the claim. Superseded rows are part of
-- the failed rows. Returns the new total, from which the ids of the events follow, the lane, and
-- the names of params. Once a task has names of params, they do not change.
UPDATE rollcall.tasks
SET total = total + @enqueue + @failed,
    enqueue = enqueue + @enqueue, failed = failed + @failed, superseded = superseded + @superseded,
    param_names = coalesce(param_names, nullif(cast(@names AS text), '')),
    split_until = @until, version = version + 1, moved_at = @now
WHERE num = @num AND split_claim = @claim AND NOT total_is_final
RETURNING total, tenant, kind, coalesce(param_names, '')
