-- stray_feeds.sql: return the tasks whose feeds have no lane yet, or whose start time has come,
-- the youngest first.
SELECT num
FROM (
    SELECT s.task_num AS num FROM (
        SELECT task_num FROM rollcall.feeds WHERE due_at > 0 AND due_at <= @now ORDER BY due_at LIMIT @most) s
    UNION
    SELECT n.task_num FROM (
        SELECT task_num FROM rollcall.feeds
        WHERE lane = 0 AND due_at = 0 AND (unfed > 0 OR back > 0 OR reading)
        ORDER BY rank, task_num LIMIT @most) n
    UNION
    SELECT a.task_num FROM (
        SELECT task_num FROM rollcall.feeds WHERE lane = 0 AND again_from < again_to ORDER BY rank, task_num LIMIT @most) a
) f
ORDER BY num DESC
