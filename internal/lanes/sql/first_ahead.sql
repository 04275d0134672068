-- first_ahead.sql: return the first task that is fed before a task of a lane. Also return whether
-- its file is still being read and none of the rows read so far waits to be fed.
SELECT t.id, t.name, f.reading AND f.unfed = 0 AND f.back = 0
FROM rollcall.feeds f
JOIN rollcall.tasks t ON t.num = f.task_num
WHERE f.lane = @lane AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
  AND (f.rank < @rank OR f.rank = @rank AND f.task_num < @num)
ORDER BY f.rank, f.task_num
LIMIT 1
