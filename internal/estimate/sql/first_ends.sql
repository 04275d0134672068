-- first_ends.sql: return the task number and the end of each given row that ended in its first attempt, the
-- earliest first.
SELECT e.id >> 32 AS num, e.finished_at AS ended_at
FROM rollcall.events e
WHERE e.id IN @ids AND e.attempt = 1 AND e.finished_at > 0
ORDER BY e.finished_at
