-- ungroup.sql: count rows out that were bad by one cause and have moved on.
--
-- @row is the first of them; if it was the first of all, the next one is looked
-- up among the bad rows of the task.
UPDATE error_groups
SET count = count - @count, fixed = fixed - @fixed, skipped = skipped - @skipped,
    first_row = CASE WHEN first_row < @row THEN first_row ELSE coalesce((
        SELECT e.row FROM events e
        WHERE e.id > @num << 32 AND e.id < (@num + 1) << 32
          AND e.bad AND e.status IN ('failed', 'error')
          AND e.status = @status AND coalesce(e.code, '') = @code AND coalesce(e.col, '') = @col AND coalesce(e.print, '') = @print
        ORDER BY e.id LIMIT 1), first_row) END
WHERE task_num = @num AND status = @status AND code = @code AND col = @col AND print = @print
