-- overrun.sql: cancel a task with more failed rows than its limit. Superseded rows do not count.
UPDATE rollcall.tasks
SET status = 'canceling', version = version + 1,
    problem = '{"code":"TOO_MANY_FAILURES","detail":"More rows failed than the ' || max_failures
              || ' allowed, so those that had not begun were not run."}'
WHERE num = @num AND failed + error - superseded > max_failures
  AND status IN ('open', 'splitting', 'running', 'paused')
