-- mend_counts.sql: set the counts of a task to what its events are; @bad
-- of them failed or are in error.
UPDATE tasks
SET total = @total, enqueue = @enqueue, working = @working, finish = @finish, failed = @failed,
    error = @error, canceled = @canceled, retrying = @retrying,
    skipped = CASE WHEN skipped > @bad THEN @bad ELSE skipped END
WHERE num = @num
