-- audit_groups.sql: return up to 100 error groups of a task whose stored counts differ from the
-- counts of its events: all rows, fixed rows and skipped rows. @low and @high bound the ids of the
-- events, both excluded.
SELECT coalesce(g.status, x.status), coalesce(g.code, x.code), coalesce(g.col, x.col),
       coalesce(g.count, 0), coalesce(x.found, 0),
       coalesce(g.fixed, 0), coalesce(x.fixed, 0), coalesce(g.skipped, 0), coalesce(x.skipped, 0)
FROM (SELECT status, code, col, print, count, fixed, skipped FROM rollcall.error_groups WHERE task_num = @num) g
FULL JOIN (
    SELECT e.status, coalesce(e.code, '') AS code, coalesce(e.col, '') AS col,
           coalesce(e.print, '') AS print, count(*) AS found,
           count(CASE WHEN e.resolution = 'fixed' THEN 1 END) AS fixed,
           count(CASE WHEN e.resolution IN ('skipped', 'accepted') THEN 1 END) AS skipped
    FROM rollcall.events e
    WHERE e.id > @low AND e.id < @high AND e.status IN ('failed', 'error')
      AND coalesce(e.resolution, '') <> 'superseded'
    GROUP BY e.status, coalesce(e.code, ''), coalesce(e.col, ''), coalesce(e.print, '')
) x ON x.status = g.status AND x.code = g.code AND x.col = g.col AND x.print = g.print
WHERE coalesce(g.count, 0) <> coalesce(x.found, 0) OR coalesce(g.fixed, 0) <> coalesce(x.fixed, 0)
   OR coalesce(g.skipped, 0) <> coalesce(x.skipped, 0)
ORDER BY 1, 2, 3
LIMIT 100
