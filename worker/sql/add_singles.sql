-- add_singles.sql: add tasks of one job each, with their feeds and jobs, and return the number of
-- each; Postgres only. A task whose deduplication key is taken is not added, and not returned.
--
-- The lane of a feed is 0 if the task is the first of its lane: the feeder then makes the lane, so
-- that the caller's transaction locks nothing of it.
WITH v AS (
    SELECT * FROM json_to_recordset(cast(@jobs AS json)) AS j (
        id text, tenant text, kind text, name text, priority integer, labels text, dedup text,
        run_at bigint, key text, hash bigint, params text, n integer)
), t AS (
    INSERT INTO tasks (id, tenant, kind, type, name, status, priority, labels, dedup_key, parent_id, run_at,
                       total, enqueue, total_is_final, created_at, keep, expires_at)
    SELECT v.id, v.tenant, v.kind, 'batch', v.name, 'running', v.priority, v.labels, nullif(v.dedup, ''), @parent,
           v.run_at, 1, 1, TRUE, @now, @keep, cast(@now AS bigint) + @keep
    FROM v
    ORDER BY v.n
    ON CONFLICT (dedup_key) WHERE dedup_key IS NOT NULL DO NOTHING
    RETURNING num, id
), f AS (
    INSERT INTO feeds (task_num, unfed, lane, rank, due_at, reading)
    SELECT t.num, 1, coalesce((SELECT n.id FROM lanes n WHERE n.tenant = v.tenant AND n.kind = v.kind), 0),
           -v.priority, CASE WHEN v.run_at <= @now THEN 0 ELSE v.run_at END, FALSE
    FROM t JOIN v ON v.id = t.id
), e AS (
    INSERT INTO events (id, row, key, status, params, next_run_at, version, key_hash)
    SELECT t.num << 32 | 1, 1, v.key, 'enqueue', v.params, nullif(v.run_at, 0), 1, v.hash
    FROM t JOIN v ON v.id = t.id
)
SELECT t.num, t.id FROM t
