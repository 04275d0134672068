-- end_narrow.sql: add the outcomes of rows that finish, for the shape "narrow". An existing outcome is
-- not changed.
INSERT INTO shape_states (id, queued_at, started_at, finished_at, ran_by, version, status, attempt)
SELECT v.ids, v.now, v.now, v.now, 1, 2, 2, 1
FROM ROWS (ids bigint, now bigint) AS v
WHERE TRUE
ON CONFLICT (id) DO NOTHING
RETURNING id AS key
