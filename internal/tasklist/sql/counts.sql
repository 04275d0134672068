-- counts.sql: return the number of imports in each tab, for a tenant. A tab may have several rows in the
-- result, each with at most @most. Reads @most entries of tasks_imports_idx or tasks_errors_idx for each
-- row. If @paused is true, running imports of which no row runs wait.
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'open' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'splitting' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'paused' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceling' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished_with_failures' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'failed' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT '', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceled' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'correct', count(*) FROM (
    SELECT num, failed > superseded AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished_with_failures' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few WHERE counted
UNION ALL
SELECT 'correct', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'failed' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'running', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'splitting' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'running', count(*) FROM (
    SELECT num, started_at > 0 AND NOT (@paused AND working = 0 AND enqueue > 0) AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few WHERE counted
UNION ALL
SELECT 'running', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceling' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'waiting', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'open' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'waiting', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'paused' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'waiting', count(*) FROM (
    SELECT num, started_at = 0 OR (@paused AND working = 0 AND enqueue > 0) AS counted FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few WHERE counted
UNION ALL
SELECT 'errors', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND error > 0 AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'done', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'finished' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
UNION ALL
SELECT 'done', count(*) FROM (
    SELECT num FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'canceled' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0 LIMIT @most) AS few
