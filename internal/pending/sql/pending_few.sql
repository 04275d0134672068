-- pending_few.sql: return what pending.sql returns, for the events with the given ids.
SELECT e.id, e.row, e.key, e.attempt, e.next_run_at, e.params, coalesce(r.attempt, -1)
FROM rollcall.events e
LEFT JOIN rollcall.refeed r ON r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295)
WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.status IN ('enqueue', 'working')
  AND (r.seq IS NULL OR r.waits AND cast(@back AS int) = 1)
ORDER BY e.id
