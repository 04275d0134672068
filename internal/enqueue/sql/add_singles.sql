-- add_singles.sql: add tasks of one job each, with their feeds and jobs, and return the number of
-- each; Postgres only. With a deduplication key, {unless taken} and {added} leave out a task whose
-- key is taken. Without a key they are empty.
--
-- Tasks get their numbers before they are added, so that no table is joined with another. Lost
-- numbers are harmless.
--
-- The lane of a feed is 0 if the task is the first of its lane. The feeder then adds the lane, so
-- that the caller's transaction does not lock it.
WITH v AS MATERIALIZED (
    SELECT nextval('rollcall.tasks_num_seq') AS num, j.*
    FROM json_to_recordset(cast(@jobs AS json)) AS j (
        id text, tenant text, kind text, name text, priority integer, labels text, dedup text,
        run_at bigint, key text, hash bigint, score bigint, params text)
), t AS (
    INSERT INTO rollcall.tasks (num, id, tenant, kind, type, name, status, priority, labels, dedup_key, parent_id, run_at,
                       total, enqueue, total_is_final, created_at, keep, expires_at)
    SELECT v.num, v.id, v.tenant, v.kind, 'batch', v.name, 'running', v.priority, v.labels, nullif(v.dedup, ''), @parent,
           v.run_at, 1, 1, TRUE, @now, @keep, cast(@now AS bigint) + @keep
    FROM v
    {unless taken}
), f AS (
    INSERT INTO rollcall.feeds (task_num, unfed, lane, rank, due_at, reading)
    SELECT v.num, 1, coalesce((SELECT n.id FROM rollcall.lanes n WHERE n.tenant = v.tenant AND n.kind = v.kind), 0),
           -v.priority, CASE WHEN v.run_at <= @now THEN 0 ELSE v.run_at END, FALSE
    FROM v
    {added}
), e AS (
    INSERT INTO rollcall.events (id, row, key, status, params, next_run_at, version, key_hash, score)
    SELECT v.num << 32 | 1, 1, v.key, 'enqueue', v.params, nullif(v.run_at, 0), 1, v.hash, v.score
    FROM v
    {added}
)
SELECT v.num, v.id FROM v
{added}
