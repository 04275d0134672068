-- forget_marks.sql: keep, of the marks of each task up to @before, only the newest. Newer marks
-- stay.
DELETE FROM rollcall.feed_marks
WHERE at < (SELECT max(n.at) FROM rollcall.feed_marks n
            WHERE n.task_num = feed_marks.task_num AND n.at <= @before)
