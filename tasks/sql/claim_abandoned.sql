-- claim_abandoned.sql: take the oldest task whose program has stopped to add rows
-- without closing it; exports are planned again. The claim is repeated outside the subquery: on Postgres a
-- second claimer that waited for the row checks it again.
UPDATE tasks
SET split_claim = @claim, split_until = @until, version = version + 1
WHERE split_until < @now AND NOT total_is_final
  AND num = (
    SELECT num FROM tasks
    WHERE NOT total_is_final AND file_id = '' AND type <> 'export' AND split_claim <> 0 AND split_until < @now
    ORDER BY num
    LIMIT 1)
RETURNING num
