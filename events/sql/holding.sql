-- holding.sql: how many rows of a range are not at rest, and do not wait to be fed
-- once more.
SELECT count(*) FROM rollcall.events e
WHERE e.id > @low AND e.id <= @high AND e.status IN ('enqueue', 'working')
  AND NOT EXISTS (SELECT 1 FROM rollcall.refeed r
                  WHERE r.task_num = e.id >> 32 AND r.seq = (e.id & 4294967295) AND r.waits)
