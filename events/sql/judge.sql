-- judge.sql: say what becomes of a task whose rows were held until its file was
-- read; an empty status is kept.
UPDATE tasks
SET hold = @hold, problem = coalesce(problem, @problem),
    status = CASE WHEN @status = '' THEN status ELSE @status END
WHERE num = @num
