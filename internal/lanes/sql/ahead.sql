-- ahead.sql: count the unfed rows of the tasks that are fed before a task of a lane. Only the first
-- @most of these tasks count.
SELECT coalesce(cast(sum(a.unfed) AS bigint), 0)
FROM (
    SELECT f.unfed FROM rollcall.feeds f
    WHERE f.lane = @lane AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
      AND (f.rank < @rank OR f.rank = @rank AND f.task_num < @num)
    ORDER BY f.rank, f.task_num
    LIMIT @most
) a
