-- act_first.sql: return the first rows of an act, also if an undo has restored them.
SELECT event_id, version, was
FROM rollcall.review_rows
WHERE act = @act
ORDER BY event_id
LIMIT @most
