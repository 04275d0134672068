-- act_rows.sql: return rows of an act that no undo has restored, last first.
SELECT event_id, version, was
FROM rollcall.review_rows
WHERE act = @act AND event_id < @before AND NOT undone
ORDER BY event_id DESC
LIMIT @most
