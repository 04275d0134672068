-- counts.sql: return the number of imports in each tab, for a tenant, and whether there may be more. A tab
-- may have several rows in the result. For each row the statement reads @most entries of tasks_imports_idx
-- or tasks_errors_idx. Of a status whose imports are in two tabs, and of paused imports, it reads the newest @read entries. If @paused
-- is true, or if the kind is in @kinds, such as ',a,,b,', imports without a running row count as waiting.
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'open' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'splitting' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'paused' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceling' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished_with_failures' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'failed' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceled' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'correct', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'failed' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'correct', count(*) FILTER (WHERE hold = 'block'), count(*) = @read FROM (
    SELECT hold FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'paused' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    ORDER BY num DESC LIMIT @read) AS few
UNION ALL
SELECT 'running', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'splitting' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'running', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceling' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'waiting', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'open' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'waiting', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'paused' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'errors', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'done', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'done', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceled' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT tab, CASE tab WHEN 'correct' THEN correct ELSE done END, more
FROM (SELECT 'correct' AS tab UNION ALL SELECT 'done') AS tabs CROSS JOIN (
    SELECT count(*) FILTER (WHERE to_correct > 0) AS correct,
           count(*) FILTER (WHERE to_correct <= 0 AND error = 0) AS done, count(*) = @read AS more
    FROM (
        SELECT failed - superseded - CASE WHEN skipped > error THEN skipped - error ELSE 0 END AS to_correct, error
        FROM rollcall.tasks
        WHERE tenant = @tenant AND status = 'finished_with_failures' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
        ORDER BY num DESC LIMIT @read) AS few
) AS counted
UNION ALL
SELECT tab, CASE tab WHEN 'running' THEN n - waiting ELSE waiting END, n = @read
FROM (SELECT 'running' AS tab UNION ALL SELECT 'waiting') AS tabs CROSS JOIN (
    SELECT count(*) AS n, count(*) FILTER (
        WHERE started_at = 0 OR (@paused OR replace(@kinds, ',' || kind || ',', '') <> @kinds) AND working = 0 AND enqueue > 0) AS waiting
    FROM (
        SELECT started_at, kind, working, enqueue FROM rollcall.tasks
        WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
        ORDER BY num DESC LIMIT @read) AS few
) AS counted
