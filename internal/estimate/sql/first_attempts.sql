-- first_attempts.sql: count the given rows that ended in their first attempt, by task number. ended_at is
-- the time at which the last of them ended.
SELECT e.id >> 32 AS num, count(*) AS rows, max(e.finished_at) AS ended_at
FROM rollcall.events e
WHERE e.id IN @ids AND e.attempt = 1 AND e.finished_at > 0
GROUP BY e.id >> 32
