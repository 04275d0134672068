-- put_off.sql: leave a task to whoever comes first after some time, and say why.
UPDATE rollcall.tasks
SET split_claim = 0, split_until = @until, progress_text = @text, version = version + 1
WHERE num = @num AND split_claim = @claim
