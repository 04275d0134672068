-- forget_marks.sql: remove each mark of a task that has a newer mark from before @before.
DELETE FROM rollcall.feed_marks
WHERE at < (SELECT max(n.at) FROM rollcall.feed_marks n
            WHERE n.task_num = feed_marks.task_num AND n.at <= @before)
