-- release_hold.sql: store the decision about a task whose rows were held until its file was read. An empty
-- @status keeps the status. Rows of later tasks of the lane may have finished meanwhile, so late
-- becomes 1 unless it is set.
UPDATE rollcall.tasks
SET hold = @hold, late = CASE late WHEN 0 THEN 1 ELSE late END, problem = coalesce(problem, @problem),
    status = CASE WHEN @status = '' THEN status ELSE @status END
WHERE num = @num
