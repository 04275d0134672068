-- notice.sql: have it told, once this transaction is committed, where a task
-- stands. Each topic is told once per round, jobs.exhausted as often as it is
-- written.
INSERT INTO outbox (task_num, tenant, kind, topic, round, detail, created_at, status, outcome, total,
                    enqueue, working, finish, failed, error, canceled, retrying, skipped,
                    superseded, started_at, finished_at)
SELECT num, tenant, kind, cast(@topic AS text), round, cast(@detail AS text), cast(@now AS bigint),
       status, outcome, total, enqueue, working, finish, failed, error, canceled, retrying, skipped,
       superseded, started_at, finished_at
FROM tasks
WHERE num = @num
ON CONFLICT DO NOTHING
