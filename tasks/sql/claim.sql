-- claim.sql: take the oldest task for which {due} holds: see split.go. A paused one
-- is taken, too.
--
-- @kinds is ",kind,kind,". The condition is repeated outside the subquery: on
-- Postgres a second claimer that waited for the row checks it again.
UPDATE tasks
SET status = CASE status WHEN 'open' THEN 'splitting' ELSE status END,
    split_claim = @claim, split_until = @until, version = version + 1
WHERE split_until < @now
  AND {due}
  AND num = (
    SELECT num FROM tasks
    WHERE {due}
      AND split_until < @now
      AND replace(@kinds, ',' || kind || ',', '') <> @kinds
    ORDER BY priority DESC, num
    LIMIT 1)
RETURNING num
