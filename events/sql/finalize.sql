-- finalize.sql: make the total of a task final.
--
-- Returns its hold, the number of its invalid rows without superseded rows, the number of waiting
-- rows, its total, and whether it is being canceled.
UPDATE rollcall.tasks
SET total_is_final = TRUE, split_claim = 0, split_until = 0, problem = coalesce(problem, @problem),
    warnings = coalesce(@warnings, warnings), version = version + 1,
    status = CASE WHEN status IN ('open', 'splitting') THEN 'running' ELSE status END
WHERE num = @num
RETURNING hold, failed - superseded, enqueue, total, status = 'canceling'
