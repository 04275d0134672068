-- first_groups.sql: return the first @most groups of each key, in the order of feeding. Groups of tasks
-- that are paused, canceled, on hold or not due are left out. Groups of tasks that are done are not
-- left out. The statement reads only the index entries of these groups, and of the groups before them
-- that are left out.
WITH RECURSIVE first_groups (key, n, place, first) AS (
    SELECT k.key, 0, cast(-1 AS bigint), cast(-1 AS bigint)
    FROM rollcall.held_keys k
    WHERE k.lane = @lane AND k.key = ANY (cast(@keys AS text[]))
    UNION ALL
    SELECT h.key, p.n + 1, h.place, h.first
    FROM first_groups p
    JOIN rollcall.held h ON h.lane = @lane AND h.key = p.key
               AND h.first = (SELECT r.first FROM rollcall.held r LEFT JOIN rollcall.feeds f ON f.task_num = r.first >> 32
                              WHERE r.lane = @lane AND r.key = p.key AND (r.place, r.first) > (p.place, p.first)
                                AND coalesce(f.due_at, 0) = 0
                              ORDER BY r.place, r.first LIMIT 1)
    WHERE p.n < @most
)
SELECT h.key, h.place, h.first, h.seqs
FROM first_groups p
JOIN rollcall.held h ON h.lane = @lane AND h.key = p.key AND h.place = p.place AND h.first = p.first
WHERE p.n > 0
