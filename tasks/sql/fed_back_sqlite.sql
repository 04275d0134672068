-- fed_back_sqlite.sql: what fed_back.sql does, for one row.
UPDATE refeed SET waits = FALSE
WHERE task_num = ?1 AND seq = ?2 AND attempt = ?3 AND waits
  AND EXISTS (SELECT 1 FROM ledger WHERE name = 'redis' AND note = ?4)
