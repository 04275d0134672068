-- mark_feeds.sql: record how far each task of tenants with slots was fed, once per step of time.
-- A repetition within the step changes nothing.
INSERT INTO rollcall.feed_marks (task_num, at, fed)
SELECT f.task_num, @at, f.fed
FROM rollcall.limits l
JOIN rollcall.lanes n ON n.tenant = l.tenant
JOIN rollcall.feeds f ON f.lane = n.id
WHERE l.slots > 0 AND f.fed > 0
ON CONFLICT (task_num, at) DO NOTHING
