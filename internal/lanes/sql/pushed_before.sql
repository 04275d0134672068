-- pushed_before.sql: return tasks with rows that were pushed before a time, and the last such row. Tasks
-- that were counted since @counted are left out.
SELECT f.task_num, max(m.fed)
FROM rollcall.feeds f
JOIN rollcall.feed_marks m ON m.task_num = f.task_num
WHERE m.at <= @before AND f.stale_at < @counted
GROUP BY f.task_num
ORDER BY f.task_num
