-- holding.sql: count the rows of a range that are not at rest, without resubmitted rows that wait
-- to be fed.
SELECT count(*) FROM rollcall.events e
WHERE e.id > @low AND e.id <= @high AND e.status IN ('enqueue', 'working')
  AND NOT EXISTS (SELECT 1 FROM rollcall.refeed r
                  WHERE r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295) AND r.waits)
