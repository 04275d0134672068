-- forget_marks.sql: remove marks that a newer old one replaces.
DELETE FROM rollcall.feed_marks
WHERE at < (SELECT max(n.at) FROM rollcall.feed_marks n
            WHERE n.task_num = feed_marks.task_num AND n.at <= @before)
