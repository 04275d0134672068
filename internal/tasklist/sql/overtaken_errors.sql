-- overtaken_errors.sql: among the first @most bad rows of a task, count by error group the open rows in error that would
-- not run after a resubmission, because a newer row of their key has finished. The parts in braces are in package overtaken. @low and @high bound the ids of the task, both excluded.
WITH w AS MATERIALIZED (
    SELECT id, key, key_hash, score, id AS above, status, resolution, code, coalesce(col, '') AS col, coalesce(print, '') AS print
    FROM rollcall.events
    WHERE id > @low AND id < @high AND code IS NOT NULL AND status IN ('failed', 'error')
    ORDER BY id LIMIT @most),
{newest}
SELECT w.code, w.col, w.print, count(*)
FROM w LEFT JOIN newest m ON m.key_hash = w.key_hash AND m.key = w.key
WHERE w.status = 'error' AND (w.resolution IS NULL OR w.resolution = 'resubmitted') AND {overtaken}
GROUP BY w.code, w.col, w.print
