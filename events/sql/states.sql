-- states.sql: where jobs stand, and which task they are of: the number of a
-- task says nothing to another ledger. Of those that were resubmitted, or lost, also key and
-- params: copies that Redis has may be older.
--
-- back: the row waits to be fed once more. A row that began an attempt since its
-- resubmission was in Redis, though the feeder may not have noted it yet.
--
-- newer is the id of a newer row of the same lane and key, the first of them by the
-- index, that has finished by running, 0 if there is none. It is looked for where it can be: for rows that
-- were resubmitted, rows whose jobs were lost (stray.sql), and rows of a task that was held up while later ones of its lane
-- went on; of such a task only rows of later tasks count, for its own rows run in
-- their order. Rows that run anyway have none. A lost row of a task that runs anyway has
-- newer rows of its own task alone.
-- Of a row with a version, newer is the finished row of its key with the greatest version that is not
-- less; of equal versions, that of the later row counts.
-- stop is the id of the last older row of the key among 100, without rows that wait, failed, were canceled
-- or skipped, if that is in error; its negative id if it is working.
-- A row whose contents were deleted has the code ERASED and is found by the hash alone.
-- The ids are compared together with the hash: Postgres would else take "id > x" for
-- a condition that few rows meet, and read all newer rows instead of those of a key.
SELECT e.id, t.id AS task_id, e.row, e.status, e.attempt, e.spared,
       t.status = 'canceling' AS canceling,
       coalesce(r.waits AND e.attempt <= r.attempt, FALSE) AS back, r.seq IS NOT NULL AS resubmitted,
       CASE WHEN r.seq IS NOT NULL THEN e.key ELSE '' END AS key,
       CASE WHEN r.seq IS NOT NULL THEN e.params ELSE '' END AS params,
       coalesce(e.queued_at, 0) AS queued_at, coalesce(e.started_at, 0) AS started_at,
       coalesce((SELECT n.worker FROM rollcall.runners n WHERE n.num = e.ran_by), '') AS worker,
       coalesce((SELECT n.build FROM rollcall.runners n WHERE n.num = e.ran_by), '') AS build,
       CASE WHEN e.score IS NOT NULL AND e.key_hash <> 0 AND NOT coalesce(r.anyway, FALSE)
            THEN coalesce((
                SELECT n.id FROM rollcall.events n
                WHERE n.key_hash = e.key_hash AND n.key_hash <> 0 AND n.finished_score >= e.score
                  AND (n.finished_score > e.score OR n.id > e.id)
                  AND n.status = 'finish' AND (n.code IS NULL AND n.key = e.key OR n.code = 'ERASED')
                ORDER BY n.finished_score DESC LIMIT 1), 0)
            WHEN e.score IS NULL AND e.key_hash <> 0 AND (r.seq IS NOT NULL AND NOT r.anyway OR r.seq IS NULL AND t.late = 1)
            THEN coalesce((
                SELECT n.id FROM rollcall.events n
                WHERE n.key_hash = e.key_hash AND n.key_hash <> 0
                  AND (n.key_hash, n.id) >
                      (e.key_hash, CASE WHEN r.seq IS NULL THEN e.id | 4294967295 ELSE e.id END)
                  AND n.status = 'finish' AND (n.code IS NULL AND n.key = e.key OR n.code = 'ERASED')
                  AND (t.late <> 2 OR e.resolution = 'resubmitted' OR n.id <= (e.id | 4294967295))
                LIMIT 1), 0)
            ELSE 0 END AS newer,
       CASE WHEN e.key_hash <> 0 AND e.status IN ('enqueue', 'working')
            THEN coalesce((
                SELECT CASE o.status WHEN 'error' THEN o.id WHEN 'working' THEN -o.id ELSE 0 END
                FROM (SELECT n.id, n.key, n.status, n.resolution FROM rollcall.events n
                      WHERE n.key_hash = e.key_hash AND n.key_hash <> 0 AND (n.key_hash, n.id) < (e.key_hash, e.id)
                      ORDER BY n.key_hash DESC, n.id DESC LIMIT 100) o
                WHERE o.key = e.key AND o.status NOT IN ('enqueue', 'failed', 'canceled') AND coalesce(o.resolution, '') <> 'skipped'
                ORDER BY o.id DESC LIMIT 1), 0)
            ELSE 0 END AS stop
FROM rollcall.events e
JOIN rollcall.tasks t ON t.num = e.id >> 32
LEFT JOIN rollcall.refeed r ON r.task_num = t.num AND r.seq = (e.id & 4294967295)
WHERE e.id IN @ids
