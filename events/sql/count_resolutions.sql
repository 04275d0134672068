-- count_resolutions.sql: change the numbers of fixed and skipped rows of error groups.
UPDATE rollcall.error_groups AS g
SET fixed = g.fixed + v.fixed, skipped = g.skipped + v.skipped
FROM ROWS (nums bigint, status text, code text, col text, print text, fixed bigint, skipped bigint) AS v
WHERE g.task_num = EACH (nums) AND g.task_num = v.nums
  AND g.status = v.status AND g.code = v.code AND g.col = v.col AND g.print = v.print
RETURNING g.task_num AS key
