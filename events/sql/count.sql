-- count.sql: add the changes of a group of moves to the counts of a task.
--
-- Returns how many of its rows are not at rest, how many rows it has, whether that total is final, and
-- its id.
UPDATE rollcall.tasks
SET enqueue = enqueue + @enqueue, working = working + @working, finish = finish + @finish,
    failed = failed + @failed, error = error + @error, canceled = canceled + @canceled,
    retrying = retrying + @retrying, version = version + 1, moved_at = @now,
    started_at = CASE started_at WHEN 0 THEN @now ELSE started_at END
WHERE num = @num
RETURNING enqueue + working, total, total_is_final, id
