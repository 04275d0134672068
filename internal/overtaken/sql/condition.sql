-- condition.sql: report whether a newer row of the key of row w has finished. Without a version, a row
-- with an id above w.above is newer: m.id is that of newest.sql. For a row with a version, a finished
-- row with a greater version is newer, or one with the same version and a greater id, in any task. A row
-- whose contents were deleted has the code ERASED and is found by the hash only.
(w.key_hash <> 0 AND (
    w.score IS NULL AND m.id > w.above
    OR w.score IS NOT NULL AND EXISTS (
        SELECT 1 FROM rollcall.events n
        WHERE n.key_hash = w.key_hash AND n.key_hash <> 0 AND n.finished_score >= w.score
          AND (n.finished_score > w.score OR n.id > w.id)
          AND n.status = 'finish' AND (n.code IS NULL AND n.key = w.key OR n.code = 'ERASED'))))
