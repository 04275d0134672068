-- progress.sql: store the progress of the only job of a task. Changes nothing if the task has
-- several jobs, if the job is at rest, or if a later attempt has begun.
UPDATE rollcall.tasks
SET progress_done = @done, progress_total = @total, progress_text = @text, version = version + 1
WHERE num = @num AND total = 1 AND finished_at = 0
  AND EXISTS (SELECT 1 FROM rollcall.events e
              WHERE e.id = @id AND e.attempt <= @attempt AND e.status IN ('enqueue', 'working'))
