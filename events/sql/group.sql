-- group.sql: count bad rows by cause. The text of the first fault is kept.
INSERT INTO error_groups (task_num, status, code, col, print, fault, count, first_row, fixed, skipped)
VALUES (@num, @status, @code, @col, @print, @fault, @count, @row, @fixed, @skipped)
ON CONFLICT (task_num, status, code, col, print) DO UPDATE
SET count = error_groups.count + excluded.count, fixed = error_groups.fixed + excluded.fixed,
    skipped = error_groups.skipped + excluded.skipped,
    fault = CASE error_groups.fault WHEN '' THEN excluded.fault ELSE error_groups.fault END,
    first_row = CASE WHEN excluded.first_row < error_groups.first_row
                     THEN excluded.first_row ELSE error_groups.first_row END
