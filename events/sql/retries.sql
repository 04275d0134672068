-- retries.sql: the keys of a range whose rows wait for a retry.
SELECT id, key FROM events
WHERE id > @low AND id <= @high AND status = 'enqueue' AND attempt > 0
