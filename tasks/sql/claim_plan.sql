-- claim_plan.sql: take the oldest export whose parts are not known yet; those of
-- a paused one are found, too.
--
-- @kinds is ",kind,kind,". The claim is repeated outside the subquery: on
-- Postgres a second claimer that waited for the row checks it again.
UPDATE tasks
SET status = CASE status WHEN 'open' THEN 'splitting' ELSE status END,
    split_claim = @claim, split_until = @until, version = version + 1
WHERE split_until < @now
  AND NOT total_is_final
  AND num = (
    SELECT num FROM tasks
    WHERE NOT total_is_final
      AND type = 'export'
      AND status IN ('open', 'splitting', 'paused')
      AND split_until < @now
      AND replace(@kinds, ',' || kind || ',', '') <> @kinds
    ORDER BY priority DESC, num
    LIMIT 1)
RETURNING num
