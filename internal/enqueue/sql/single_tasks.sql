-- single_tasks.sql: add the tasks, as add_singles.sql does; SQLite only.
INSERT INTO rollcall.tasks (id, tenant, kind, type, name, status, priority, labels, dedup_key, parent_id, run_at,
                   total, enqueue, total_is_final, created_at, keep, expires_at)
SELECT value ->> 'id', value ->> 'tenant', value ->> 'kind', 'batch', value ->> 'name', 'running',
       value ->> 'priority', value ->> 'labels', nullif(value ->> 'dedup', ''), @parent, value ->> 'run_at',
       1, 1, TRUE, @now, @keep, @now + @keep
FROM json_each(@jobs)
WHERE TRUE
ORDER BY key
ON CONFLICT (dedup_key) WHERE dedup_key IS NOT NULL DO NOTHING
