-- aged.sql: tasks with rows that were pushed before a time, and up to where;
-- those that nobody has counted since @counted.
SELECT f.task_num, max(m.fed)
FROM rollcall.feeds f
JOIN rollcall.feed_marks m ON m.task_num = f.task_num
WHERE m.at <= @before AND f.stale_at < @counted
GROUP BY f.task_num
ORDER BY f.task_num
