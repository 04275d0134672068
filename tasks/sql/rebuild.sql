-- rebuild.sql: feed everything that is not at rest again, from the start.
UPDATE feeds
SET fed = 0, rebuilt = TRUE, claim = 0, claim_until = 0,
    unfed = (SELECT enqueue + working FROM tasks WHERE num = feeds.task_num)
