-- cancel_after.sql: cancel the tasks that start after a task that was canceled, and return them. It
-- also cancels and returns tasks that require the success of a task with a problem, such as a file
-- that could not be read. A task that ended only with failed rows may be repaired, so tasks that
-- require its success continue to wait.
UPDATE rollcall.tasks
SET status = 'canceling', version = version + 1,
    problem = (SELECT '{"code":"AFTER_CANCELED","detail":"Task ' || p.id || ', which this one was to start after, '
                      || CASE p.outcome WHEN 'canceled' THEN 'was canceled.' ELSE 'could not be completed.' END || '"}'
               FROM rollcall.tasks p WHERE p.num = @num)
WHERE num IN (SELECT a.task_num FROM rollcall.task_after a WHERE a.after_num = @num AND NOT a.met)
  AND status IN ('open', 'splitting', 'running', 'paused')
  AND EXISTS (SELECT 1 FROM rollcall.tasks p
              WHERE p.num = @num AND (p.outcome = 'canceled' OR tasks.after_well AND p.problem IS NOT NULL))
RETURNING num
