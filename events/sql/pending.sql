-- pending.sql: rows of a range that are not at rest, in file order.
SELECT id, row, key, attempt, next_run_at, params
FROM events
WHERE id > @low AND id <= @high AND status IN ('enqueue', 'working')
ORDER BY id
LIMIT @most
