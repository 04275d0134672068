-- first_attempts.sql: of the given rows, count those that came to rest in their first attempt, by the
-- number of their task, with the time at which the last of them did.
SELECT e.id >> 32 AS num, count(*) AS rows, max(e.finished_at) AS ended_at
FROM rollcall.events e
WHERE e.id IN @ids AND e.attempt = 1 AND e.finished_at > 0
GROUP BY e.id >> 32
