-- overtaken.sql: count the first @most waiting rows of a task, and those of them that end as
-- superseded after a resume: see states.sql. The parts in braces are in package overtaken.
-- Without a version, rows of later tasks of the lane count; for a row that was resubmitted or lost,
-- later rows of its own task count, too. Rows that were resubmitted to run anyway are not superseded.
-- @low and @high bound the ids of the task, both excluded.
WITH w AS MATERIALIZED (
    SELECT q.id, q.key, q.key_hash, q.score, coalesce(r.anyway, FALSE) AS anyway,
           CASE WHEN r.seq IS NULL THEN cast(@high AS bigint) ELSE q.id END AS above
    FROM (SELECT e.id, e.key, e.key_hash, e.score
          FROM rollcall.events e
          WHERE e.id > @low AND e.id < @high AND e.status = 'enqueue' AND e.key_hash <> 0
          ORDER BY e.id LIMIT @most) q
    LEFT JOIN rollcall.refeed r ON r.task_num = q.id >> 32 AND r.seq = (q.id & 4294967295)),
{newest}
SELECT count(*), coalesce(sum(CASE WHEN NOT w.anyway AND {overtaken} THEN 1 ELSE 0 END), 0)
FROM w LEFT JOIN newest m ON m.key_hash = w.key_hash AND m.key = w.key
