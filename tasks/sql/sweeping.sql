-- sweeping.sql: return up to @most purged tasks with numbers above @after of which something
-- is left, and what: see table tasks.
SELECT num, sweep FROM rollcall.tasks WHERE sweep > 0 AND num > @after ORDER BY num LIMIT @most
