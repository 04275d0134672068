-- resume.sql: feed a paused task again. One that waits for a person to look at
-- its invalid rows has been looked at; one that is still read goes on being held.
-- Later tasks of its lane may have run meanwhile: @late tells what becomes of its
-- rows that a newer row has superseded, 1: they do not run, 2: they run.
UPDATE rollcall.tasks
SET status = CASE WHEN total_is_final THEN 'running' WHEN file_id <> '' THEN 'splitting' ELSE 'open' END,
    problem = CASE WHEN total_is_final AND hold = 'block' THEN NULL ELSE problem END,
    hold = CASE WHEN total_is_final THEN '' ELSE hold END,
    late = @late, version = version + 1
WHERE id = @id AND tenant = @tenant AND status = 'paused'
RETURNING num
