-- refeed_sqlite.sql: what refeed.sql does, for one row.
INSERT INTO refeed (task_num, seq, attempt, waits) VALUES (?1, ?2, ?3, TRUE)
ON CONFLICT (task_num, seq) DO UPDATE SET attempt = excluded.attempt, waits = TRUE
