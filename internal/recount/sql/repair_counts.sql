-- repair_counts.sql: set the counts of a task to those of its events.
UPDATE rollcall.tasks
SET total = @total, enqueue = @enqueue, working = @working, finish = @finish, failed = @failed,
    error = @error, canceled = @canceled, retrying = @retrying, skipped = @skipped,
    superseded = @superseded
WHERE num = @num
