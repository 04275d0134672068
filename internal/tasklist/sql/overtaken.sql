-- overtaken.sql: read the first @most bad rows of a task. Return their number, and how many of them are corrected
-- rows that do not run, because a newer row of their key has finished: see newer.sql and newer_version.sql of
-- package events. @low and @high bound the ids of the task, both excluded. A row whose contents were deleted has the
-- code ERASED and is found by the hash only.
--
-- The ids are compared together with the hash. Otherwise Postgres would expect few rows for "id > x", and would read
-- all newer rows instead of those of the key.
SELECT count(*), coalesce(sum(CASE WHEN w.resolution = 'fixed' AND w.key_hash <> 0 AND (
           w.score IS NULL AND EXISTS (
               SELECT 1 FROM rollcall.events n
               WHERE n.key_hash = w.key_hash AND n.key_hash <> 0 AND (n.key_hash, n.id) > (w.key_hash, w.id)
                 AND n.status = 'finish' AND (n.code IS NULL AND n.key = w.key OR n.code = 'ERASED'))
           OR w.score IS NOT NULL AND EXISTS (
               SELECT 1 FROM rollcall.events n
               WHERE n.key_hash = w.key_hash AND n.key_hash <> 0 AND n.finished_score >= w.score
                 AND (n.finished_score > w.score OR n.id > w.id)
                 AND n.status = 'finish' AND (n.code IS NULL AND n.key = w.key OR n.code = 'ERASED'))) THEN 1 ELSE 0 END), 0)
FROM (SELECT id, key, key_hash, score, resolution
      FROM rollcall.events
      WHERE id > @low AND id < @high AND code IS NOT NULL AND status IN ('failed', 'error')
      ORDER BY id LIMIT @most) w
