-- odd_feeds.sql: return tasks that are not done and have no feed, or the other way
-- round. It reads tasks that are not done, and feeds: few rows, however many tasks are kept.
--
-- The databases cannot turn the inner queries into joins, nor sort by the key of tasks: both
-- would read all tasks.
SELECT num
FROM (
    SELECT t.num
    FROM tasks t
    WHERE t.finished_at = 0 AND t.purged_at = 0
      AND NOT EXISTS (SELECT 1 FROM feeds f WHERE f.task_num = t.num)
    UNION ALL
    SELECT f.task_num
    FROM feeds f
    WHERE (SELECT t.finished_at > 0 AND t.purged_at = 0 FROM tasks t WHERE t.num = f.task_num)
) odd
ORDER BY num + 0
LIMIT @most
