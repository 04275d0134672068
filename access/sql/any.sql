-- any.sql: whether a key was ever made.
SELECT count(*) FROM (SELECT 1 AS one FROM api_keys LIMIT 1) AS k
