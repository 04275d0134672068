-- housed.sql: whether a partition of events is there.
SELECT to_regclass(@name) IS NOT NULL
