-- sweep_notices.sql: delete up to @most notices of a purged task. A notice that is not delivered
-- yet stays, unless @whole is true.
DELETE FROM rollcall.outbox
WHERE id IN (
    SELECT o.id FROM rollcall.outbox o
    WHERE o.task_num = @num AND (cast(@whole AS boolean) OR o.batch <> 0
      AND NOT EXISTS (SELECT 1 FROM rollcall.deliveries d WHERE d.notice = o.id AND d.state = 'waiting'))
    ORDER BY o.id
    LIMIT @most)
