-- new_feed.sql: add a missing feed of a task. Its progress is unknown, so all rows that are not
-- at rest are fed a second time. Workers read the state of each row before they run it.
INSERT INTO rollcall.feeds (task_num, fed, again_to) VALUES (@num, @last, @last)
ON CONFLICT (task_num) DO NOTHING
