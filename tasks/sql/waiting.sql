-- waiting.sql: return, for each tenant and kind, the first task that waits for @stage, by priority
-- and number. It skips tasks that another process has claimed.
--
-- Each step of the recursion goes from the first task of one tenant and kind to the first of the
-- next, by a probe of tasks_work_idx. Later tasks of a tenant and kind are not read. The condition
-- "work > 0" allows the planner to use that index.
WITH RECURSIVE first (num) AS (
    SELECT (SELECT t.num FROM rollcall.tasks t WHERE t.work > 0 AND t.work = @stage
            ORDER BY t.tenant, t.kind, t.priority DESC, t.num LIMIT 1)
    UNION ALL
    SELECT coalesce(
        (SELECT n.num FROM rollcall.tasks n
         WHERE n.work > 0 AND n.work = @stage AND n.tenant = t.tenant AND n.kind > t.kind
         ORDER BY n.kind, n.priority DESC, n.num LIMIT 1),
        (SELECT n.num FROM rollcall.tasks n
         WHERE n.work > 0 AND n.work = @stage AND n.tenant > t.tenant
         ORDER BY n.tenant, n.kind, n.priority DESC, n.num LIMIT 1))
    FROM first JOIN rollcall.tasks t ON t.num = first.num
)
SELECT w.num, w.tenant, w.kind, w.priority, coalesce(l.weight, 1)
FROM first
JOIN rollcall.tasks f ON f.num = first.num
JOIN rollcall.tasks w ON w.num = (
    SELECT c.num FROM rollcall.tasks c
    WHERE c.work > 0 AND c.work = @stage AND c.tenant = f.tenant AND c.kind = f.kind AND c.split_until < @now
    ORDER BY c.priority DESC, c.num LIMIT 1)
LEFT JOIN rollcall.limits l ON l.tenant = f.tenant
