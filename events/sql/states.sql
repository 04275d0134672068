-- states.sql: where jobs stand, and which task they are of: the number of a
-- task says nothing to another ledger.
SELECT e.id, t.id AS task_id, e.status, e.attempt,
       t.status = 'canceling' AS canceling
FROM events e
JOIN tasks t ON t.num = e.id >> 32
WHERE e.id IN @ids
