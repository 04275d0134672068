-- sweeping.sql: return purged tasks of which something is left, and what: see migration 00027.
SELECT num, sweep FROM tasks WHERE sweep > 0 ORDER BY num LIMIT @most
