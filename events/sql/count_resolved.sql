-- count_resolved.sql: change the numbers of skipped and superseded rows of a task.
UPDATE rollcall.tasks
SET skipped = skipped + @skipped, superseded = superseded + @superseded, version = version + 1
WHERE num = @num
