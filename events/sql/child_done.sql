-- child_done.sql: record in a parent that one more of its children is done.
UPDATE rollcall.tasks
SET children_done = children_done + 1, version = version + 1, moved_at = @now
WHERE num = @num
