-- merged.sql: record that the file of an export is stored. Changes nothing unless the writer of the
-- file still has the claim and the task waits for the file.
UPDATE rollcall.tasks
SET unmerged = FALSE, split_claim = 0, split_until = 0, result_id = @file, result_name = @name,
    result_size = @size, result_sha256 = @sha256, result_rows = @rows, progress_done = @rows,
    progress_text = '', version = version + 1
WHERE num = @num AND split_claim = @claim AND unmerged AND finished_at = 0 AND status <> 'canceling'
  AND finish = total AND problem IS NULL
