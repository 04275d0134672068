-- waits.sql: return, for each lane and priority, the first task with rows in the ledger that may
-- run, or with a file that is not read. For each lane of a paused tenant, and for each lane with
-- run hours, it also returns a task with held rows. The caller drops this task if the tenant is
-- not paused and the run hours are open.
--
-- Each step of a recursion goes from the first task of one lane and priority to the first of the
-- next, by a probe of an index. Later tasks are not read. Of the tasks without a lane, and of those
-- whose start time has passed, at most @most are read. A task may be returned twice.
WITH RECURSIVE
next (num) AS (
    SELECT (SELECT f.task_num FROM rollcall.feeds f
            WHERE f.lane > 0 AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
            ORDER BY f.lane, f.rank, f.task_num LIMIT 1)
    UNION ALL
    SELECT coalesce(
        (SELECT n.task_num FROM rollcall.feeds n
         WHERE n.lane = f.lane AND n.rank > f.rank AND n.due_at = 0 AND (n.unfed > 0 OR n.back > 0 OR n.reading)
         ORDER BY n.rank, n.task_num LIMIT 1),
        (SELECT n.task_num FROM rollcall.feeds n
         WHERE n.lane > f.lane AND n.due_at = 0 AND (n.unfed > 0 OR n.back > 0 OR n.reading)
         ORDER BY n.lane, n.rank, n.task_num LIMIT 1))
    FROM next JOIN rollcall.feeds f ON f.task_num = next.num
),
again (num) AS (
    SELECT (SELECT f.task_num FROM rollcall.feeds f WHERE f.lane > 0 AND f.again_from < f.again_to
            ORDER BY f.lane, f.rank, f.task_num LIMIT 1)
    UNION ALL
    SELECT coalesce(
        (SELECT n.task_num FROM rollcall.feeds n
         WHERE n.lane = f.lane AND n.rank > f.rank AND n.again_from < n.again_to
         ORDER BY n.rank, n.task_num LIMIT 1),
        (SELECT n.task_num FROM rollcall.feeds n
         WHERE n.lane > f.lane AND n.again_from < n.again_to
         ORDER BY n.lane, n.rank, n.task_num LIMIT 1))
    FROM again JOIN rollcall.feeds f ON f.task_num = again.num
),
held_lanes (lane) AS (
    SELECT (SELECT k.lane FROM rollcall.held_keys k ORDER BY k.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT k.lane FROM rollcall.held_keys k WHERE k.lane > p.lane ORDER BY k.lane LIMIT 1)
    FROM held_lanes p WHERE p.lane IS NOT NULL
),
found (num, held) AS (
    SELECT num, FALSE FROM next WHERE num IS NOT NULL
    UNION ALL
    SELECT (SELECT h.first >> 32 FROM rollcall.held h WHERE h.lane = p.lane ORDER BY h.key, h.place, h.first LIMIT 1), TRUE
    FROM held_lanes p
    CROSS JOIN rollcall.lanes n
    LEFT JOIN rollcall.limits l ON l.tenant = n.tenant
    WHERE n.id = p.lane AND (l.paused OR l.run_hours <> '' OR n.kind = ANY (cast(@kinds AS text[])))
    UNION ALL
    SELECT num, FALSE FROM again WHERE num IS NOT NULL
    UNION ALL
    SELECT strays.task_num, FALSE FROM (
        SELECT task_num FROM rollcall.feeds
        WHERE lane = 0 AND due_at = 0 AND (unfed > 0 OR back > 0 OR reading)
        ORDER BY rank, task_num LIMIT @most) strays
    UNION ALL
    SELECT passed.task_num, FALSE FROM (
        SELECT task_num FROM rollcall.feeds WHERE due_at > 0 AND due_at <= @now ORDER BY due_at LIMIT @most) passed
)
SELECT t.num, t.tenant, t.kind, coalesce(l.paused, FALSE), coalesce(l.run_hours, ''), found.held, coalesce(l.slots, 0),
       f.reading AND f.unfed = 0 AND f.back = 0 AND f.again_from >= f.again_to,
       -- Rows that were added to an open task, or resubmitted, wait since a count changed.
       CASE WHEN (f.unfed > 0 OR f.reading) AND (t.total_is_final OR t.file_id <> '' OR t.type = 'export')
            THEN CASE WHEN t.run_at > t.created_at THEN t.run_at ELSE t.created_at END
            WHEN t.moved_at > t.created_at THEN t.moved_at
            ELSE t.created_at END
FROM found
CROSS JOIN rollcall.feeds f
CROSS JOIN rollcall.tasks t
LEFT JOIN rollcall.limits l ON l.tenant = t.tenant
WHERE f.task_num = found.num AND t.num = f.task_num AND t.hold = ''
