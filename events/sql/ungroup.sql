-- ungroup.sql: subtract rows that are no longer bad from their error groups.
--
-- firsts is the first of these rows. If it was also the first row of the group, the statement finds
-- the next one among the bad rows of the task, unless the group is empty.
UPDATE rollcall.error_groups AS g
SET count = g.count - v.counts, fixed = g.fixed - v.fixed, skipped = g.skipped - v.skipped,
    first_row = CASE WHEN g.first_row < v.firsts OR g.count <= v.counts THEN g.first_row ELSE coalesce((
        SELECT e.row FROM rollcall.events e
        WHERE e.id > v.nums << 32 AND e.id < (v.nums + 1) << 32
          AND e.code IS NOT NULL AND e.status IN ('failed', 'error')
          AND e.status = v.status AND coalesce(e.code, '') = v.code
          AND coalesce(e.col, '') = v.col AND coalesce(e.print, '') = v.print
        ORDER BY e.id LIMIT 1), g.first_row) END
FROM ROWS (nums bigint, status text, code text, col text, print text,
           counts bigint, firsts integer, fixed bigint, skipped bigint) AS v
WHERE g.task_num = EACH (nums) AND g.task_num = v.nums
  AND g.status = v.status AND g.code = v.code AND g.col = v.col AND g.print = v.print
RETURNING g.task_num AS key
