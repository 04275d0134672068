-- passed.sql: those of some rows that newer rows of their keys have passed by: one has finished,
-- and it must have run behind them. These are rows of the same task, and those of later tasks
-- that no priority puts first. Only the next 1,000 rows of each key are read.
--
-- Left out are rows of tasks that begin late (run_at), and rows of batches against later tasks,
-- for a caller may commit an older one behind a newer one.
SELECT e.id
FROM rollcall.events e
JOIN rollcall.tasks t ON t.num = e.id >> 32
WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.key_hash <> 0 AND e.status IN ('enqueue', 'working')
  AND EXISTS (
      SELECT 1
      FROM (SELECT n.id, n.key, n.status, n.code FROM rollcall.events n
            WHERE n.key_hash = e.key_hash AND n.key_hash <> 0 AND (n.key_hash, n.id) > (e.key_hash, e.id)
            ORDER BY n.key_hash, n.id LIMIT 1000) x
      WHERE x.status = 'finish' AND (x.code IS NULL AND x.key = e.key OR x.code = 'ERASED')
        AND (x.id <= (e.id | 4294967295)
             OR t.type = 'import' AND t.run_at = 0 AND t.late <> 2
                AND (SELECT o.priority FROM rollcall.tasks o WHERE o.num = x.id >> 32) <= t.priority))
