-- claim_abandoned.sql: take a task whose program has stopped to add rows without closing it.
-- Tasks of programs that still add rows are passed by: they are few. The claim is repeated
-- outside the subquery: on Postgres a second claimer that waited for the row checks it again.
UPDATE rollcall.tasks
SET split_claim = @claim, split_until = @until, version = version + 1
WHERE split_until < @now AND work = 4
  AND num = (SELECT num FROM rollcall.tasks WHERE work > 0 AND work = 4 AND split_until < @now LIMIT 1)
RETURNING num
