-- overtaken.sql: how many of the next @most rows of a task that wait have a newer row
-- of their key, in a later task of their lane, that has finished; and how many rows
-- were looked at. @low and @high bound the ids of the task, both excluded.
-- A row whose contents were deleted has the code ERASED and is found by the hash alone.
-- The ids are compared together with the hash: Postgres would else take "id > x" for
-- a condition that few rows meet, and read all newer rows instead of those of a key.
SELECT count(*), coalesce(sum(CASE WHEN EXISTS (
           SELECT 1 FROM rollcall.events n
           WHERE n.key_hash = w.key_hash AND n.key_hash <> 0 AND (n.key_hash, n.id) > (w.key_hash, @high)
             AND n.status = 'finish' AND (n.code IS NULL AND n.key = w.key OR n.code = 'ERASED')) THEN 1 ELSE 0 END), 0)
FROM (SELECT id, key, key_hash FROM rollcall.events
      WHERE id > @low AND id < @high AND status = 'enqueue' AND key_hash <> 0
      ORDER BY id LIMIT @most) w
