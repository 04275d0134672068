-- count.sql: move the counts of a task by what has really changed.
--
-- Returns how many are not at rest, whether more may come, and the id of the task.
UPDATE rollcall.tasks
SET enqueue = enqueue + @enqueue, working = working + @working, finish = finish + @finish,
    failed = failed + @failed, error = error + @error, canceled = canceled + @canceled,
    retrying = retrying + @retrying, version = version + 1, moved_at = @now,
    started_at = CASE started_at WHEN 0 THEN @now ELSE started_at END
WHERE num = @num
RETURNING enqueue + working, total_is_final, id
