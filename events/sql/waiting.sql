-- waiting.sql: return the rows of a range that wait, including retries, with their keys.
SELECT id, row, key, attempt FROM rollcall.events
WHERE id > @low AND id <= @high AND status = 'enqueue'
ORDER BY id
