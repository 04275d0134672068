-- end_today.sql: end rows that finish, for the shape "today", like events/sql/record_plain.sql.
UPDATE shape AS e
SET status = 'finish', attempt = 1::smallint, code = NULL, col = NULL, value = NULL,
    message = NULL, hint = NULL, fields = NULL, queued_at = v.now, started_at = v.now, finished_at = v.now,
    next_run_at = NULL, ran_by = 1, print = NULL, version = e.version + 1
FROM ROWS (ids bigint, now bigint) AS v
WHERE e.id = EACH (ids) AND e.id = v.ids AND e.status = 'enqueue' AND e.attempt = 0
RETURNING e.id AS key
