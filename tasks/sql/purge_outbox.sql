-- purge_outbox.sql: forget what was told of the tasks just purged; what still
-- waits to be delivered stays.
DELETE FROM outbox
WHERE task_num IN (SELECT num FROM tasks WHERE purged_at = @now)
  AND batch <> 0
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.notice = outbox.id AND d.state = 'waiting')
