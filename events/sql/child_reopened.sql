-- child_reopened.sql: record in a parent that one of its children is no longer done.
UPDATE rollcall.tasks
SET children_done = children_done - 1, version = version + 1, moved_at = @now
WHERE num = @num
