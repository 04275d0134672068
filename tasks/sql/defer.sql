-- defer.sql: release a claim, prevent further claims until @until, and store the reason as the
-- progress text.
UPDATE rollcall.tasks
SET split_claim = 0, split_until = @until, progress_text = @text, version = version + 1
WHERE num = @num AND split_claim = @claim
