-- counts.sql: return the number of imports in each tab, for a tenant, and whether there may be more. A tab
-- may have several rows in the result. For each row the statement reads @most entries of tasks_imports_idx
-- or tasks_errors_idx, or the newest @read entries if the tab has only some imports of a status. If @paused
-- is true, or if the kind is in @kinds, such as ',a,,b,', running imports of which no row runs wait.
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
SELECT 'correct', count(*) FILTER (WHERE counted), count(*) = @read FROM (
    SELECT failed > superseded AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished_with_failures' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    ORDER BY num DESC LIMIT @read) AS few
UNION ALL
SELECT 'correct', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'failed' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'running', count(*), count(*) = @most FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'splitting' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'running', count(*) FILTER (WHERE counted), count(*) = @read FROM (
    SELECT started_at > 0 AND NOT ((@paused OR replace(@kinds, ',' || kind || ',', '') <> @kinds) AND working = 0 AND enqueue > 0) AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    ORDER BY num DESC LIMIT @read) AS few
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
SELECT 'waiting', count(*) FILTER (WHERE counted), count(*) = @read FROM (
    SELECT started_at = 0 OR ((@paused OR replace(@kinds, ',' || kind || ',', '') <> @kinds) AND working = 0 AND enqueue > 0) AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    ORDER BY num DESC LIMIT @read) AS few
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
SELECT 'done', count(*) FILTER (WHERE counted), count(*) = @read FROM (
    SELECT failed <= superseded AND error = 0 AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished_with_failures' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    ORDER BY num DESC LIMIT @read) AS few
