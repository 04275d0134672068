-- single_feeds.sql: add the feeds of the tasks, as add_singles.sql does; SQLite only.
INSERT INTO rollcall.feeds (task_num, unfed, lane, rank, due_at, reading)
SELECT t.num, 1, coalesce((SELECT n.id FROM rollcall.lanes n WHERE n.tenant = t.tenant AND n.kind = t.kind), 0),
       -t.priority, CASE WHEN t.run_at <= @now THEN 0 ELSE t.run_at END, FALSE
FROM json_each(@jobs) j
JOIN rollcall.tasks t ON t.id = j.value ->> 'id'
