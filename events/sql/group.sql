-- group.sql: count bad rows by cause. The text of the first fault is kept.
INSERT INTO rollcall.error_groups (task_num, status, code, col, print, fault, count, first_row, fixed, skipped)
SELECT v.nums, v.status, v.code, v.col, v.print, v.fault, v.counts, v.firsts, v.fixed, v.skipped
FROM ROWS (nums bigint, status text, code text, col text, print text, fault text,
           counts bigint, firsts integer, fixed bigint, skipped bigint) AS v
WHERE TRUE
ON CONFLICT (task_num, status, code, col, print) DO UPDATE
SET count = error_groups.count + excluded.count, fixed = error_groups.fixed + excluded.fixed,
    skipped = error_groups.skipped + excluded.skipped,
    fault = CASE error_groups.fault WHEN '' THEN excluded.fault ELSE error_groups.fault END,
    first_row = CASE WHEN excluded.first_row < error_groups.first_row
                     THEN excluded.first_row ELSE error_groups.first_row END
RETURNING task_num AS key
