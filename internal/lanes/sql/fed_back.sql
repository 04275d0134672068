-- fed_back.sql: resubmitted rows were pushed, each as it stood at an attempt, to the
-- Redis that is in use still.
UPDATE rollcall.refeed AS r SET waits = FALSE
FROM ROWS (seqs bigint, attempts smallint) AS v
WHERE r.task_num = @num AND r.seq = EACH (seqs) AND r.seq = v.seqs AND r.attempt = v.attempts
  AND r.waits AND EXISTS (SELECT 1 FROM rollcall.ledger WHERE name = 'redis' AND note = @redis)
RETURNING r.seq AS key
