-- notice.sql: write notices of a topic, of where tasks stand once this transaction is committed.
-- Each topic is written once per round, jobs.exhausted as often as asked.
--
-- No notice is written of a task without a listener: a callback of its kind, its own address, a
-- webhook. targets.sql has the same conditions. @silent are kinds that are known to have no
-- callback for the topic.
INSERT INTO rollcall.outbox (task_num, tenant, kind, topic, round, detail, created_at, status, outcome, total,
                    enqueue, working, finish, failed, error, canceled, retrying, skipped,
                    superseded, started_at, finished_at)
SELECT t.num, t.tenant, t.kind, cast(@topic AS text), t.round, cast(@detail AS text), cast(@now AS bigint),
       t.status, t.outcome, t.total, t.enqueue, t.working, t.finish, t.failed, t.error, t.canceled, t.retrying, t.skipped,
       t.superseded, t.started_at, t.finished_at
FROM rollcall.tasks t
WHERE t.num = ANY (cast(@nums AS bigint[]))
  AND (NOT t.kind = ANY (cast(@silent AS text[]))
       OR cast(@topic AS text) = 'task.finished' AND t.callback_url <> ''
       OR EXISTS (
           SELECT 1 FROM rollcall.webhooks w
           WHERE w.tenant = t.tenant AND w.enabled
             AND cast(@topic AS text) IN ('task.finished', 'task.first_failure', 'export.ready')
             AND (w.topics = '' OR replace(w.topics, ',' || cast(@topic AS text) || ',', '') <> w.topics)))
ON CONFLICT DO NOTHING
