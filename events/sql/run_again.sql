-- run_again.sql: let a done task run again, for one more round.
--
-- Returns the number of its parent, or 0, and its total. It returns no row if the task is not done,
-- was purged, or was canceled.
UPDATE rollcall.tasks
SET status = 'running', rerun = TRUE, outcome = '', finished_at = 0, round = round + 1, round_at = @now,
    expires_at = @now + keep, version = version + 1
WHERE num = @num AND finished_at > 0 AND purged_at = 0 AND status <> 'canceled'
RETURNING parent, total
