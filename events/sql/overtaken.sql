-- overtaken.sql: count the first @most waiting rows of a task, and those of them that end as
-- superseded after a resume, because a newer row of their key has finished: see states.sql. Without a
-- version, rows of later tasks of the lane count; for a row that was resubmitted or lost, later rows
-- of its own task count, too. For a row with a version, the finished row with the greatest version
-- counts, also of an earlier task or of the same task. Rows that were resubmitted to run anyway are not
-- superseded. @low and @high bound the ids of the task, both excluded. A row whose contents were
-- deleted has the code ERASED and is found by the hash only.
--
-- The ids are compared together with the hash. Otherwise Postgres would expect few rows for "id >
-- x", and would read all newer rows instead of those of the key.
SELECT count(*), coalesce(sum(CASE WHEN w.anyway THEN 0 WHEN w.score IS NULL AND EXISTS (
           SELECT 1 FROM rollcall.events n
           WHERE n.key_hash = w.key_hash AND n.key_hash <> 0 AND (n.key_hash, n.id) > (w.key_hash, w.above)
             AND n.status = 'finish' AND (n.code IS NULL AND n.key = w.key OR n.code = 'ERASED'))
       OR w.score IS NOT NULL AND EXISTS (
           SELECT 1 FROM rollcall.events n
           WHERE n.key_hash = w.key_hash AND n.key_hash <> 0 AND n.finished_score >= w.score
             AND (n.finished_score > w.score OR n.id > w.id)
             AND n.status = 'finish' AND (n.code IS NULL AND n.key = w.key OR n.code = 'ERASED')) THEN 1 ELSE 0 END), 0)
FROM (SELECT q.id, q.key, q.key_hash, q.score, coalesce(r.anyway, FALSE) AS anyway,
             CASE WHEN r.seq IS NULL THEN cast(@high AS bigint) ELSE q.id END AS above
      FROM (SELECT e.id, e.key, e.key_hash, e.score
            FROM rollcall.events e
            WHERE e.id > @low AND e.id < @high AND e.status = 'enqueue' AND e.key_hash <> 0
            ORDER BY e.id LIMIT @most) q
      LEFT JOIN rollcall.refeed r ON r.task_num = q.id >> 32 AND r.seq = (q.id & 4294967295)) w
