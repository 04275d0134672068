-- grow.sql: raise the counts of a task by a chunk of new events.
--
-- Touches nothing unless the chunk's writer still has the claim; the claim
-- lasts on. Returns the new total, which says which numbers the events get, and the lane.
UPDATE tasks
SET total = total + @enqueue + @failed + @finish,
    enqueue = enqueue + @enqueue, failed = failed + @failed, finish = finish + @finish,
    split_until = @until, version = version + 1, moved_at = @now
WHERE num = @num AND split_claim = @claim AND NOT total_is_final
RETURNING total, tenant, kind
