-- unmergeable.sql: store the problem because of which the file of an export cannot be written.
-- Changes nothing if the writer of the file no longer has the claim, or if the export has ended.
UPDATE rollcall.tasks
SET problem = @problem, split_claim = 0, split_until = 0, progress_text = '', version = version + 1
WHERE num = @num AND split_claim = @claim AND unmerged AND finished_at = 0
