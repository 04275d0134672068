-- leaving_sqlite.sql: what leaving.sql does, for one event.
SELECT id, status, coalesce(code, ''), coalesce(col, ''), row, coalesce(resolution, '')
FROM events
WHERE id = @id AND status IN ('failed', 'error')
