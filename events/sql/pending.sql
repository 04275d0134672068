-- pending.sql: rows of a range that are not at rest, in file order; those that
-- were resubmitted are fed apart.
SELECT e.id, e.row, e.key, e.attempt, e.next_run_at, e.params
FROM events e
WHERE e.id > @low AND e.id <= @high AND e.status IN ('enqueue', 'working')
  AND NOT EXISTS (SELECT 1 FROM refeed r
                  WHERE r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295))
ORDER BY e.id
LIMIT @most
