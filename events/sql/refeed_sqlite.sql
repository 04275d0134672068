-- refeed_sqlite.sql: what refeed.sql does, for one row.
INSERT INTO refeed (task_num, seq, attempt, waits, anyway) VALUES (?1, ?2, ?3, TRUE, ?4)
ON CONFLICT (task_num, seq) DO UPDATE
SET attempt = excluded.attempt, waits = TRUE, anyway = excluded.anyway
