-- seal.sql: no more events will come; from here on the total is final.
--
-- Returns why the rows are held, how many are invalid (superseded rows are not), how many
-- wait, and whether the task is being canceled.
UPDATE rollcall.tasks
SET total_is_final = TRUE, split_claim = 0, split_until = 0, problem = coalesce(problem, @problem),
    warnings = coalesce(@warnings, warnings), version = version + 1,
    status = CASE WHEN status IN ('open', 'splitting') THEN 'running' ELSE status END
WHERE num = @num
RETURNING hold, failed - superseded, enqueue, total, status = 'canceling'
