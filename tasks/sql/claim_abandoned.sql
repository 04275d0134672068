-- claim_abandoned.sql: claim a task whose program has stopped adding rows without closing the task.
-- The search skips the few tasks whose programs still add rows. The condition on the claim is
-- repeated outside of the subquery: on Postgres, a process that waited for the lock of the row
-- checks it again.
UPDATE rollcall.tasks
SET split_claim = @claim, split_until = @until, version = version + 1
WHERE split_until < @now AND work = 4
  AND num = (SELECT num FROM rollcall.tasks WHERE work > 0 AND work = 4 AND split_until < @now LIMIT 1)
RETURNING num
