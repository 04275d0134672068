-- count_skipped.sql: move the number of a task's bad rows that are skipped.
UPDATE tasks SET skipped = skipped + @skipped, version = version + 1 WHERE num = @num
