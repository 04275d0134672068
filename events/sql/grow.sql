-- grow.sql: raise the counts of a task by a chunk of new events.
--
-- Touches nothing unless the chunk's writer still has the claim; the claim
-- lasts on. Superseded rows are a part of the failed ones. Returns the new total, which says which numbers the events get, and the lane.
UPDATE tasks
SET total = total + @enqueue + @failed,
    enqueue = enqueue + @enqueue, failed = failed + @failed, superseded = superseded + @superseded,
    split_until = @until, version = version + 1, moved_at = @now
WHERE num = @num AND split_claim = @claim AND NOT total_is_final
RETURNING total, tenant, kind
