-- mark_feeds.sql: note how far each task of a tenant with slots has been fed;
-- once per step of time, whoever comes first.
INSERT INTO feed_marks (task_num, at, fed)
SELECT f.task_num, @at, f.fed
FROM feeds f
JOIN tasks t ON t.num = f.task_num
JOIN limits l ON l.tenant = t.tenant
WHERE l.slots > 0 AND f.fed > 0
ON CONFLICT (task_num, at) DO NOTHING
