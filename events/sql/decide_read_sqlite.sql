-- decide_read_sqlite.sql: what decide_read.sql does, for one event.
SELECT id, row, version, status, attempt, key, code, col, value, message, hint, fields,
       resolution
FROM events
WHERE id = @id AND bad
