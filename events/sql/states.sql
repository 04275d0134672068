-- states.sql: where jobs stand, and which task they are of: the number of a
-- task says nothing to another ledger. Of those that were resubmitted also key and
-- params: copies that Redis has may be older.
SELECT e.id, t.id AS task_id, e.status, e.attempt, e.spared,
       t.status = 'canceling' AS canceling,
       coalesce(r.waits, FALSE) AS back, r.seq IS NOT NULL AS resubmitted,
       CASE WHEN r.seq IS NOT NULL THEN e.key ELSE '' END AS key,
       CASE WHEN r.seq IS NOT NULL THEN e.params ELSE '' END AS params
FROM events e
JOIN tasks t ON t.num = e.id >> 32
LEFT JOIN refeed r ON r.task_num = t.num AND r.seq = (e.id & 4294967295)
WHERE e.id IN @ids
