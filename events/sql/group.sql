-- group.sql: count bad rows by cause.
INSERT INTO error_groups (task_num, status, code, col, count, first_row, fixed, skipped)
VALUES (@num, @status, @code, @col, @count, @row, @fixed, @skipped)
ON CONFLICT (task_num, status, code, col) DO UPDATE
SET count = error_groups.count + excluded.count, fixed = error_groups.fixed + excluded.fixed,
    skipped = error_groups.skipped + excluded.skipped,
    first_row = CASE WHEN excluded.first_row < error_groups.first_row
                     THEN excluded.first_row ELSE error_groups.first_row END
