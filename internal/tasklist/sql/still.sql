-- still.sql: report whether a tenant may have imports with status running that have waiting rows and no running
-- row. Reads the newest @read entries of tasks_imports_idx. If there may be older ones, the result is true.
SELECT count(*) FILTER (WHERE working = 0 AND enqueue > 0) > 0 OR count(*) = @read
FROM (
    SELECT working, enqueue FROM rollcall.tasks
    WHERE tenant = @tenant AND status = 'running' AND type <> 'export' AND columns NOT IN ('[]', 'null') AND purged_at = 0
    ORDER BY num DESC LIMIT @read) AS few
