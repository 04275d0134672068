-- refeed.sql: put rows of a task on the list of rows that wait to be fed again.
INSERT INTO rollcall.refeed (task_num, seq, attempt, waits, anyway)
SELECT cast(@num AS bigint), v.seqs, v.attempts, TRUE, cast(@anyway AS boolean)
FROM ROWS (seqs bigint, attempts smallint) AS v
WHERE TRUE
ON CONFLICT (task_num, seq) DO UPDATE
SET attempt = excluded.attempt, waits = TRUE, anyway = excluded.anyway
RETURNING seq AS key
