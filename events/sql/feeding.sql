-- feeding.sql: return how rows are fed. resubmitted and back are those of states.sql.
SELECT e.id, e.status, e.attempt, r.seq IS NOT NULL AS resubmitted,
       coalesce(r.waits AND e.attempt <= r.attempt, FALSE) AS back
FROM rollcall.events e
LEFT JOIN rollcall.refeed r ON r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295)
WHERE e.id IN @ids
