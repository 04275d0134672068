-- sweep_outbox.sql: remove up to @most notices of tasks that were done before @before, if
-- all their deliveries ended before it, too. The deliveries are removed with them.
--
-- Notices of unfinished tasks stay, so that each round of a task is notified once.
-- Notices that are not routed yet stay, too.
DELETE FROM rollcall.outbox
WHERE id IN (
    SELECT o.id FROM rollcall.outbox o
    JOIN rollcall.tasks t ON t.num = o.task_num
    WHERE o.batch <> 0 AND o.created_at < @before AND t.finished_at > 0 AND t.finished_at < @before
      AND NOT EXISTS (SELECT 1 FROM rollcall.deliveries d WHERE d.notice = o.id AND d.settled_at = 0)
      AND NOT EXISTS (SELECT 1 FROM rollcall.deliveries d WHERE d.notice = o.id AND d.settled_at >= @before)
    ORDER BY o.id
    LIMIT @most)
