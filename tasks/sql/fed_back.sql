-- fed_back.sql: resubmitted rows were pushed, each as it stood at an attempt, to the
-- Redis that is in use still. Postgres' way.
UPDATE refeed r SET waits = FALSE
FROM unnest(cast(@seqs AS bigint[]), cast(@attempts AS smallint[])) AS v (seq, attempt)
WHERE r.task_num = @num AND r.seq = v.seq AND r.attempt = v.attempt AND r.waits
  AND EXISTS (SELECT 1 FROM ledger WHERE name = 'redis' AND note = @redis)
