-- count_resolved.sql: move the numbers of a task's bad rows that were skipped, and of
-- those that were superseded.
UPDATE rollcall.tasks
SET skipped = skipped + @skipped, superseded = superseded + @superseded, version = version + 1
WHERE num = @num
