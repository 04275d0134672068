-- unwait.sql: take rows of a task off the list of rows that wait to be fed again.
UPDATE rollcall.refeed AS r SET waits = FALSE
FROM ROWS (seqs bigint) AS v
WHERE r.task_num = @num AND r.seq = EACH (seqs) AND r.seq = v.seqs AND r.waits
RETURNING r.seq AS key
