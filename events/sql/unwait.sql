-- unwait.sql: rows of a task do not wait to be fed once more. Postgres' way.
UPDATE refeed SET waits = FALSE
WHERE task_num = @num AND seq = ANY (cast(@seqs AS bigint[])) AND waits
