-- repair_groups.sql: set the counts of the error groups of a task from its events. Superseded rows
-- are in no group. An existing group keeps the text of its fault.
INSERT INTO rollcall.error_groups (task_num, status, code, col, print, count, first_row, fixed, skipped)
SELECT @num, e.status, coalesce(e.code, ''), coalesce(e.col, ''), coalesce(e.print, ''), count(*), min(e.row),
       count(CASE WHEN e.resolution = 'fixed' THEN 1 END),
       count(CASE WHEN e.resolution IN ('skipped', 'accepted') THEN 1 END)
FROM rollcall.events e
WHERE e.id > @low AND e.id < @high AND e.status IN ('failed', 'error')
  AND coalesce(e.resolution, '') <> 'superseded'
GROUP BY e.status, coalesce(e.code, ''), coalesce(e.col, ''), coalesce(e.print, '')
ON CONFLICT (task_num, status, code, col, print) DO UPDATE
SET count = excluded.count, first_row = excluded.first_row, fixed = excluded.fixed, skipped = excluded.skipped
