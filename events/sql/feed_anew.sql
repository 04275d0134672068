-- feed_anew.sql: give a feed to a task that is set running again; its rows were
-- all fed once.
INSERT INTO feeds (task_num, fed) VALUES (@num, @total)
