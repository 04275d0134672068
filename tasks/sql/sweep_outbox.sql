-- sweep_outbox.sql: remove notices that are of no use any more, the deliveries
-- of which go with them.
--
-- Those of a task that is not done stay: they guard that a round is told once.
DELETE FROM outbox
WHERE id IN (
    SELECT o.id FROM outbox o
    JOIN tasks t ON t.num = o.task_num
    WHERE o.batch <> 0 AND o.created_at < @before AND t.finished_at > 0 AND t.finished_at < @before
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.notice = o.id AND d.settled_at = 0)
      AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.notice = o.id AND d.settled_at >= @before)
    ORDER BY o.id
    LIMIT @most)
