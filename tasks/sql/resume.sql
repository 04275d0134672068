-- resume.sql: resume a paused task. If its file was read, its hold ends: the user who resumes it
-- accepts the invalid rows. A task whose file is still being read keeps its hold.
--
-- @late is for rows of the task if a newer row of their key has finished meanwhile: 1 means that
-- they do not run, 2 that they run.
-- @now is the time of the resume. With 2, a row with a version still does not run after a greater
-- version that finished later than that.
UPDATE rollcall.tasks
SET status = CASE WHEN total_is_final THEN 'running' WHEN file_id <> '' THEN 'splitting' ELSE 'open' END,
    problem = CASE WHEN total_is_final AND hold = 'block' THEN NULL ELSE problem END,
    hold = CASE WHEN total_is_final THEN '' ELSE hold END,
    late = @late, late_at = @now, version = version + 1
WHERE id = @id AND tenant = @tenant AND status = 'paused'
RETURNING num
