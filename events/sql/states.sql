-- states.sql: return the states of jobs, with the ids of their tasks: the number of a task may mean
-- another task in another ledger. For jobs that were resubmitted or lost, also return key and
-- params, since the copies in Redis may be older.
--
-- back: the row waits to be fed again. A row that began an attempt since its resubmission was in
-- Redis, even if the feeder has not recorded that yet.
--
-- newer: the id of a newer row of the same lane and key that has finished by running, or 0. Without
-- a version, it is searched only for rows that were resubmitted, for rows whose jobs were lost
-- (stray.sql), and for rows of a task that waited while later tasks of its lane ran. For such a task
-- only rows of later tasks count, since its own rows run in order. Rows that run anyway have no newer
-- row. For a lost row of a task that runs anyway, only rows of its own task count. For a row with a
-- version, newer is the finished row of its key with the greatest version that is not less than its
-- own. Of equal versions, only that of a later row counts. For a row of a task that runs anyway, only
-- rows of its own task and rows that finished after the resume count, unless the row was resubmitted.
--
-- stop: the id of the last older row of the key, among 100 and without rows that wait, failed, were
-- canceled, skipped or accepted, if that row is in error. If that row is working, stop is its
-- negative id.
--
-- A row whose contents were deleted has the code ERASED and is found by the hash only. The ids are
-- compared together with the hash. Otherwise Postgres would expect few rows for "id > x", and would
-- read all newer rows instead of those of the key.
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
                  AND (t.late <> 2 OR e.resolution = 'resubmitted' OR n.id >> 32 = e.id >> 32 OR n.finished_at > t.late_at)
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
                WHERE o.key = e.key AND o.status NOT IN ('enqueue', 'failed', 'canceled') AND coalesce(o.resolution, '') NOT IN ('skipped', 'accepted')
                ORDER BY o.id DESC LIMIT 1), 0)
            ELSE 0 END AS stop
FROM rollcall.events e
JOIN rollcall.tasks t ON t.num = e.id >> 32
LEFT JOIN rollcall.refeed r ON r.task_num = t.num AND r.seq = (e.id & 4294967295)
WHERE e.id IN @ids
