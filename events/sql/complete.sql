-- complete.sql: end a task if all its jobs have ended and its children are done; at most once in each
-- round.
--
-- An export whose parts are all finished does not end before its file is stored. The status of a
-- task that ran again follows from its rows, even if the re-run was canceled; but a canceled re-run of
-- an export without a stored file is canceled as a whole. Superseded rows do not count as failures of
-- the task. A task whose hold is 'refused' ends as failed.
--
-- A task that must start after other tasks does not end before these, unless it is canceled or has a problem,
-- such as a file that could not be read.
--
-- Returns the number of the parent of the task, or 0, and the number of tasks that start after it.
UPDATE rollcall.tasks
SET status = CASE WHEN status = 'canceling' AND hold <> 'refused' AND (unmerged OR NOT rerun) THEN 'canceled'
                  WHEN problem IS NOT NULL THEN 'failed'
                  WHEN finish + superseded = total THEN 'finished'
                  WHEN finish + superseded = 0 THEN 'failed'
                  ELSE 'finished_with_failures' END,
    outcome = CASE WHEN status = 'canceling' AND hold <> 'refused' AND (unmerged OR NOT rerun) THEN 'canceled'
                   WHEN problem IS NOT NULL THEN 'failure'
                   WHEN finish + superseded = total THEN 'success'
                   WHEN finish + superseded = 0 THEN 'failure'
                   ELSE 'partial' END,
    rerun = FALSE,
    hold = CASE hold WHEN 'refused' THEN hold ELSE '' END, finished_at = @now, expires_at = @now + keep,
    ran_ms = ran_ms + @now - CASE WHEN round_at > 0 THEN round_at WHEN started_at > 0 THEN started_at ELSE @now END,
    version = version + 1
WHERE num = @num AND total_is_final AND enqueue = 0 AND working = 0 AND finished_at = 0
  AND children = children_done AND (awaits = 0 OR status = 'canceling' OR problem IS NOT NULL)
  AND NOT (unmerged AND finish = total AND problem IS NULL AND status <> 'canceling')
RETURNING parent, followers
