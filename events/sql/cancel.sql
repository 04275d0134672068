-- cancel.sql: cancel the waiting rows of a range, except the given ids. Running rows stay.
UPDATE rollcall.events
SET status = 'canceled', finished_at = @now, next_run_at = NULL, version = version + 1
WHERE id > @low AND id <= @high AND status = 'enqueue'
  AND NOT (id = ANY (cast(@except AS bigint[])))
RETURNING attempt
