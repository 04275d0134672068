-- passed.sql: return the rows among @ids that a newer row of their key has overtaken. The newer
-- row has finished, although it must run after the returned row. A newer row is in the same task,
-- or in a later task of at most the same priority. Only the next 1,000 rows of each key are read.
--
-- Later tasks count only for rows of imports without a start time (run_at): callers may commit an
-- older batch after a newer one.
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
