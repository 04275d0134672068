-- odd_feeds.sql: tasks that are not done and have no feed, or the other way
-- round.
SELECT t.num
FROM tasks t
LEFT JOIN feeds f ON f.task_num = t.num
WHERE t.purged_at = 0 AND (t.finished_at > 0) = (f.task_num IS NOT NULL)
ORDER BY t.num
LIMIT @most
