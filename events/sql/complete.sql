-- complete.sql: end a task whose last job has come to rest and whose children are
-- done; once per round.
--
-- One that makes a file, and all parts of which are there, waits for it.
-- A re-run task gets the status that its rows give, also if the re-run is canceled. Superseded rows are
-- no failure of the task as a whole.
-- A task whose rows were refused as a whole has failed, and stays refused.
--
-- A task that starts after others does not end before these, unless it is canceled or was not read.
--
-- Returns the number of its parent, 0 if it has none, and how many tasks were made to start after it.
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
