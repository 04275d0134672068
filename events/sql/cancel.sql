-- cancel.sql: cancel the rows of a range that wait, but for some; those that run are left.
UPDATE events
SET status = 'canceled', finished_at = @now, next_run_at = NULL, version = version + 1
WHERE id > @low AND id <= @high AND status = 'enqueue'
  AND NOT (id = ANY (cast(@except AS bigint[])))
RETURNING attempt
