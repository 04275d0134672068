-- act_sample.sql: return the last row of an act, also if an undo has restored it.
SELECT event_id, version, was
FROM rollcall.review_rows
WHERE act = @act
ORDER BY event_id DESC
LIMIT 1
