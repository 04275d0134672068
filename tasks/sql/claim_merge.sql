-- claim_merge.sql: take the oldest export all parts of which have ended well and
-- whose file is not there yet.
--
-- @kinds is ",kind,kind,". The claim is repeated outside the subquery: on
-- Postgres a second claimer that waited for the row checks it again.
UPDATE tasks
SET split_claim = @claim, split_until = @until
WHERE split_until < @now AND unmerged AND finished_at = 0
  AND num = (
    SELECT num FROM tasks
    WHERE unmerged AND finished_at = 0 AND total_is_final
      AND finish = total AND problem IS NULL
      AND status IN ('running', 'paused')
      AND split_until < @now
      AND replace(@kinds, ',' || kind || ',', '') <> @kinds
    ORDER BY priority DESC, num
    LIMIT 1)
RETURNING num
