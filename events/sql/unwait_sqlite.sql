-- unwait_sqlite.sql: what unwait.sql does, for one row.
UPDATE refeed SET waits = FALSE WHERE task_num = ?1 AND seq = ?2 AND waits
