-- held_rows.sql: return the rows among @ids that are not at rest, by id. The last column is the
-- attempt at the resubmission; -1 for a row that was not resubmitted. Resubmitted rows that wait
-- to be fed are left out.
SELECT e.id, e.row, e.key, e.attempt, e.next_run_at, e.params, coalesce(r.attempt, -1)
FROM rollcall.events e
LEFT JOIN rollcall.refeed r ON r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295)
WHERE e.id = ANY (cast(@ids AS bigint[])) AND e.status IN ('enqueue', 'working')
  AND (r.seq IS NULL OR NOT r.waits)
ORDER BY e.id
