-- overtaken.sql: read the first @most bad rows of a task. Return their number, and how many of them are corrected
-- rows that do not run. The parts in braces are in package overtaken. @low and @high bound the ids of the task,
-- both excluded.
WITH w AS MATERIALIZED (
    SELECT id, key, key_hash, score, resolution, id AS above
    FROM rollcall.events
    WHERE id > @low AND id < @high AND code IS NOT NULL AND status IN ('failed', 'error')
    ORDER BY id LIMIT @most),
{newest}
SELECT count(*), coalesce(sum(CASE WHEN w.resolution = 'fixed' AND {overtaken} THEN 1 ELSE 0 END), 0)
FROM w LEFT JOIN newest m ON m.key_hash = w.key_hash AND m.key = w.key
