-- holding.sql: how many rows of a range are not at rest.
SELECT count(*) FROM events
WHERE id > @low AND id <= @high AND status IN ('enqueue', 'working')
