-- grow.sql: raise the counts of a task by a chunk of new events.
--
-- Touches nothing unless the chunk's writer still has the claim; the claim
-- lasts on. Superseded rows are a part of the failed ones. Returns the new total,
-- which says which numbers the events get, the lane, and the names of the members of params: the
-- first that were given stay.
UPDATE rollcall.tasks
SET total = total + @enqueue + @failed,
    enqueue = enqueue + @enqueue, failed = failed + @failed, superseded = superseded + @superseded,
    param_names = coalesce(param_names, nullif(cast(@names AS text), '')),
    split_until = @until, version = version + 1, moved_at = @now
WHERE num = @num AND split_claim = @claim AND NOT total_is_final
RETURNING total, tenant, kind, coalesce(param_names, '')
