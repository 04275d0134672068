-- states.sql: where jobs stand, and which task they are of: the number of a
-- task says nothing to another ledger.
SELECT e.id, t.id AS task_id, e.status, e.attempt, e.spared,
       t.status = 'canceling' AS canceling,
       EXISTS (SELECT 1 FROM refeed r
               WHERE r.task_num = t.num AND r.seq = (e.id & 4294967295) AND r.waits) AS back
FROM events e
JOIN tasks t ON t.num = e.id >> 32
WHERE e.id IN @ids
