-- refeed.sql: have rows of a task fed once more. Postgres' way.
INSERT INTO refeed (task_num, seq, attempt, waits, anyway)
SELECT cast(@num AS bigint), seq, attempt, TRUE, cast(@anyway AS boolean)
FROM unnest(cast(@seqs AS bigint[]), cast(@attempts AS smallint[])) AS s (seq, attempt)
ON CONFLICT (task_num, seq) DO UPDATE
SET attempt = excluded.attempt, waits = TRUE, anyway = excluded.anyway
