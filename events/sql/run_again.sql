-- run_again.sql: set a task running again that was done, for one more round.
--
-- Returns its parent, 0 if it has none, and how many rows it has; no row if it
-- is not done, or purged, or was canceled.
UPDATE rollcall.tasks
SET status = 'running', rerun = TRUE, outcome = '', finished_at = 0, round = round + 1, round_at = @now,
    expires_at = @now + keep, version = version + 1
WHERE num = @num AND finished_at > 0 AND purged_at = 0 AND status <> 'canceled'
RETURNING parent, total
