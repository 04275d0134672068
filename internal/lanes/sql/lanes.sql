-- lanes.sql: return the lanes with rows to push, and three counts of rows in Redis: not at rest,
-- waiting for a worker, waiting for a retry. One row of a key with held rows is next in Redis,
-- and up to most - 1 rows wait behind it. The statement adds up these bounds.
--
-- It reads a few index entries and at most 1,000 keys with held rows per lane, and the tasks that
-- have pushed rows. Lanes of paused tenants are left out, unless a lost Redis had some of their
-- rows: see the last column.
WITH RECURSIVE
next_lanes (lane) AS (
    SELECT (SELECT f.lane FROM rollcall.feeds f
            WHERE f.lane > 0 AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
            ORDER BY f.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT f.lane FROM rollcall.feeds f
            WHERE f.lane > p.lane AND f.due_at = 0 AND (f.unfed > 0 OR f.back > 0 OR f.reading)
            ORDER BY f.lane LIMIT 1)
    FROM next_lanes p WHERE p.lane IS NOT NULL
),
again_lanes (lane) AS (
    SELECT (SELECT f.lane FROM rollcall.feeds f WHERE f.lane > 0 AND f.again_from < f.again_to ORDER BY f.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT f.lane FROM rollcall.feeds f WHERE f.lane > p.lane AND f.again_from < f.again_to ORDER BY f.lane LIMIT 1)
    FROM again_lanes p WHERE p.lane IS NOT NULL
),
held_lanes (lane) AS (
    SELECT (SELECT k.lane FROM rollcall.held_keys k ORDER BY k.lane LIMIT 1)
    UNION ALL
    SELECT (SELECT k.lane FROM rollcall.held_keys k WHERE k.lane > p.lane ORDER BY k.lane LIMIT 1)
    FROM held_lanes p WHERE p.lane IS NOT NULL
),
found (lane, again) AS (
    SELECT lane, max(again)
    FROM (SELECT lane, 0 AS again FROM next_lanes UNION ALL SELECT lane, 1 FROM again_lanes
          UNION ALL SELECT lane, 0 FROM held_lanes) b
    WHERE lane IS NOT NULL
    GROUP BY lane
),
in_redis (lane, rows, waiting, retrying) AS (
    SELECT f.lane,
           cast(sum(t.enqueue + t.working - f.unfed - f.back - f.held) AS bigint),
           cast(sum(t.enqueue - t.retrying - f.unfed - f.back - f.held) AS bigint),
           cast(sum(CASE WHEN t.retrying > f.back THEN t.retrying - f.back ELSE 0 END) AS bigint)
    FROM rollcall.feeds f JOIN rollcall.tasks t ON t.num = f.task_num
    WHERE f.lane IN (SELECT b.lane FROM found b) AND (f.fed > 0 OR f.claim_until > 0)
    GROUP BY f.lane
)
SELECT n.id, n.tenant, n.kind, n.pushed, n.stir_at,
       (SELECT count(*) FROM (SELECT 1 FROM rollcall.held_keys k WHERE k.lane = n.id LIMIT 1000) h),
       cast(coalesce((SELECT sum(h.most - 1)
                      FROM (SELECT k.most FROM rollcall.held_keys k WHERE k.lane = n.id LIMIT 1000) h), 0) AS bigint),
       coalesce(l.slots, 0), coalesce(l.window_rows, 0), coalesce(l.weight, 1), coalesce(l.paused, FALSE), coalesce(l.run_hours, ''),
       coalesce(r.rows, 0), coalesce(r.waiting, 0), coalesce(r.retrying, 0), found.again = 1
FROM found
JOIN rollcall.lanes n ON n.id = found.lane
LEFT JOIN in_redis r ON r.lane = found.lane
LEFT JOIN rollcall.limits l ON l.tenant = n.tenant
WHERE found.again = 1 OR NOT coalesce(l.paused, FALSE)
ORDER BY n.id
