-- unexplained.sql: return the groups of system faults of a task that have no text, each
-- with the message log of its first row.
SELECT g.status, g.code, g.col, g.print, g.first_row, coalesce((
    SELECT e.messages FROM rollcall.events e
    WHERE e.id > @low AND e.id < @high AND e.code IS NOT NULL AND e.status IN ('failed', 'error')
      AND e.status = g.status AND coalesce(e.code, '') = g.code
      AND coalesce(e.col, '') = g.col AND e.print = g.print
    ORDER BY e.id LIMIT 1), '')
FROM rollcall.error_groups g
WHERE g.task_num = @num AND g.print <> '' AND g.fault = ''
