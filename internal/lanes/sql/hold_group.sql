-- hold_group.sql: add a group of held rows, unless its task is canceled. If @place is 0, the group gets
-- the last place of the lane less @behind.
INSERT INTO rollcall.held (lane, key, place, first, last, rows, seqs)
SELECT n.id, @key, CASE WHEN cast(@place AS bigint) = 0 THEN n.place - cast(@behind AS bigint) ELSE cast(@place AS bigint) END,
       @first, @last, @rows, @seqs
FROM rollcall.lanes n
WHERE n.id = @lane
  AND EXISTS (SELECT 1 FROM rollcall.feeds f WHERE f.task_num = @num AND f.cancel_from < 0)
