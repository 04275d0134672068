-- first_ahead.sql: return the first task of a lane that is fed before a task, and whether all of
-- its rows are still to be read from its file.
SELECT t.id, t.name, f.reading AND f.unfed = 0 AND f.back = 0
FROM rollcall.feeds f
JOIN rollcall.tasks t ON t.num = f.task_num
WHERE f.lane = @lane AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
  AND (f.rank < @rank OR f.rank = @rank AND f.task_num < @num)
ORDER BY f.rank, f.task_num
LIMIT 1
