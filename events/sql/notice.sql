-- notice.sql: write notices of a topic about tasks, with the state that they have in this
-- transaction. A topic is written once per round; jobs.exhausted and task.progress may be written
-- several times.
--
-- No notice is written for a task without a listener. A listener is a callback of its kind, a callback URL
-- or a webhook. Only webhooks that name task.progress listen to this topic. recipients.sql of
-- internal/notify has the same conditions. @silent holds the kinds without a callback for the topic.
INSERT INTO rollcall.outbox (task_num, tenant, kind, topic, round, detail, created_at, status, outcome, total,
                    enqueue, working, finish, failed, error, canceled, retrying, skipped,
                    superseded, started_at, finished_at)
SELECT t.num, t.tenant, t.kind, cast(@topic AS text), t.round, cast(@detail AS text), cast(@now AS bigint),
       t.status, t.outcome, t.total, t.enqueue, t.working, t.finish, t.failed, t.error, t.canceled, t.retrying, t.skipped,
       t.superseded, t.started_at, t.finished_at
FROM rollcall.tasks t
WHERE t.num = ANY (cast(@nums AS bigint[]))
  AND (cast(@topic AS text) <> 'task.progress' AND NOT t.kind = ANY (cast(@silent AS text[]))
       OR cast(@topic AS text) = 'task.finished' AND t.callback_url <> ''
       OR EXISTS (
           SELECT 1 FROM rollcall.webhooks w
           WHERE w.tenant = t.tenant AND w.enabled
             AND cast(@topic AS text) IN ('task.finished', 'task.first_failure', 'task.progress', 'export.ready')
             AND (w.topics = '' AND cast(@topic AS text) <> 'task.progress' OR replace(w.topics, ',' || cast(@topic AS text) || ',', '') <> w.topics)))
ON CONFLICT DO NOTHING
