-- recipients.sql: return the recipients over HTTP of the notices of one batch.
--
-- A webhook without topics subscribes to all of them but task.progress. The callback URL of a task
-- receives only the end of the task.
SELECT o.id, 'webhook', w.id, o.tenant, w.id
FROM rollcall.outbox o
JOIN rollcall.webhooks w ON w.tenant = o.tenant
WHERE o.id >= @low AND o.id <= @high AND o.batch = @batch AND w.enabled
  AND o.topic IN ('task.finished', 'task.first_failure', 'task.progress', 'export.ready')
  AND (w.topics = '' AND o.topic <> 'task.progress' OR replace(w.topics, ',' || o.topic || ',', '') <> w.topics)
UNION ALL
SELECT o.id, 'callback_url', NULL, o.tenant, 'url:' || o.tenant
FROM rollcall.outbox o
JOIN rollcall.tasks t ON t.num = o.task_num
WHERE o.id >= @low AND o.id <= @high AND o.batch = @batch
  AND o.topic = 'task.finished' AND t.callback_url <> ''
