-- sweeping.sql: return up to @most purged tasks with records to delete, and which ones: see column
-- sweep. Their numbers are above @after.
SELECT num, sweep FROM rollcall.tasks WHERE sweep > 0 AND num > @after ORDER BY num LIMIT @most
