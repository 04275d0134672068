-- add_child.sql: count one more child of a task that is not done, and lock the task, so that it does
-- not end meanwhile.
UPDATE rollcall.tasks
SET children = children + 1, version = version + 1
WHERE id = @parent AND tenant = @tenant AND finished_at = 0 AND depth < @most
  AND status IN ('open', 'splitting', 'running', 'paused')
RETURNING num, depth
