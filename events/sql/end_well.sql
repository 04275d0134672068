-- end_well.sql: do the work of count.sql and complete.sql in one statement, for tasks whose last
-- rows have finished, without a failed row, and that no task waits for. It does not change other
-- tasks, nor a task whose id differs from the id in the moves.
UPDATE rollcall.tasks AS t
SET enqueue = 0, working = 0, finish = t.finish + v.finish, retrying = t.retrying + v.retrying,
    status = 'finished', outcome = 'success', rerun = FALSE, version = t.version + 1, moved_at = @now,
    started_at = CASE t.started_at WHEN 0 THEN @now ELSE t.started_at END,
    ran_ms = t.ran_ms + @now - CASE WHEN t.round_at > 0 THEN t.round_at WHEN t.started_at > 0 THEN t.started_at ELSE @now END,
    finished_at = @now, expires_at = @now + t.keep
FROM ROWS (nums bigint, task_ids text, enqueue bigint, working bigint, finish bigint, retrying bigint) AS v
WHERE t.num = EACH (nums) AND t.num = v.nums AND v.task_ids IN ('', t.id)
  AND t.enqueue + v.enqueue = 0 AND t.working + v.working = 0 AND t.finish + v.finish + t.superseded = t.total
  AND t.status = 'running' AND t.hold = '' AND t.problem IS NULL AND NOT t.unmerged
  AND t.total_is_final AND t.finished_at = 0 AND t.children = t.children_done
  AND t.followers = 0 AND t.awaits = 0
RETURNING t.num AS key
