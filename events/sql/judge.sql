-- judge.sql: say what becomes of a task whose rows were held until its file was
-- read; an empty status is kept. Later tasks of its lane may have run meanwhile.
UPDATE rollcall.tasks
SET hold = @hold, late = CASE late WHEN 0 THEN 1 ELSE late END, problem = coalesce(problem, @problem),
    status = CASE WHEN @status = '' THEN status ELSE @status END
WHERE num = @num
