-- delivery.sql: return deliveries with their notices. The caller adds the condition.
SELECT d.num, d.id, d.webhook, d.tenant, d.channel, d.endpoint, d.state, d.tries, d.next_at,
       d.attempts, d.created_at, d.settled_at,
       o.id AS notice, o.topic, o.detail, o.created_at AS notice_at,
       t.num AS t_num, t.id AS t_id, t.tenant AS t_tenant, t.kind AS t_kind, t.type AS t_type,
       t.name AS t_name, t.labels AS t_labels, t.priority AS t_priority,
       t.created_by AS t_created_by, t.created_at AS t_created_at,
       o.round AS t_round, o.status AS t_status, o.outcome AS t_outcome, o.total AS t_total,
       o.enqueue AS t_enqueue, o.working AS t_working, o.finish AS t_finish, o.failed AS t_failed,
       o.error AS t_error, o.canceled AS t_canceled, o.retrying AS t_retrying,
       o.skipped AS t_skipped, o.superseded AS t_superseded, o.started_at AS t_started_at, o.finished_at AS t_finished_at
FROM rollcall.deliveries d
JOIN rollcall.outbox o ON o.id = d.notice
JOIN rollcall.tasks t ON t.num = o.task_num
