-- mark_feeds.sql: note how far each task of a tenant with slots has been fed;
-- once per step of time, whoever comes first.
INSERT INTO feed_marks (task_num, at, fed)
SELECT f.task_num, @at, f.fed
FROM limits l
JOIN lanes n ON n.tenant = l.tenant
JOIN feeds f ON f.lane = n.id
WHERE l.slots > 0 AND f.fed > 0 AND (f.fed > 0 OR f.claim_until > 0)
ON CONFLICT (task_num, at) DO NOTHING
