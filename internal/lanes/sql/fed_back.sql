-- fed_back.sql: record that resubmitted rows were pushed. A row that was resubmitted again has
-- another attempt, and stays. No row changes if another Redis is in use now.
UPDATE rollcall.refeed AS r SET waits = FALSE
FROM ROWS (seqs bigint, attempts smallint) AS v
WHERE r.task_num = @num AND r.seq = EACH (seqs) AND r.seq = v.seqs AND r.attempt = v.attempts
  AND r.waits AND EXISTS (SELECT 1 FROM rollcall.ledger WHERE name = 'redis' AND note = @redis)
RETURNING r.seq AS key
