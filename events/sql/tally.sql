-- tally.sql: count the rows of a cause that a person has fixed or skipped.
UPDATE error_groups SET fixed = fixed + @fixed, skipped = skipped + @skipped
WHERE task_num = @num AND status = @status AND code = @code AND col = @col AND print = @print
