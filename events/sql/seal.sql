-- seal.sql: no more events will come; from here on the total is final.
UPDATE tasks
SET total_is_final = TRUE, split_claim = 0, split_until = 0, problem = coalesce(problem, @problem),
    version = version + 1,
    status = CASE WHEN status IN ('open', 'splitting') THEN 'running' ELSE status END
WHERE num = @num
