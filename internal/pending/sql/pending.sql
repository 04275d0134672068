-- pending.sql: return the rows of a range that are not at rest, in file order. The last column is
-- the attempt at the resubmission; -1 for a row that was not resubmitted. Resubmitted rows that
-- wait to be fed are returned only if @back is 1. Resubmitted rows that were fed are left out.
SELECT e.id, e.row, e.key, e.attempt, e.next_run_at, e.params, coalesce(r.attempt, -1)
FROM rollcall.events e
LEFT JOIN rollcall.refeed r ON r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295)
WHERE e.id > @low AND e.id <= @high AND e.status IN ('enqueue', 'working')
  AND (r.seq IS NULL OR r.waits AND cast(@back AS int) = 1)
ORDER BY e.id
LIMIT @most
