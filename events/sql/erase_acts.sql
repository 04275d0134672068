-- erase_acts.sql: delete up to @most undo records of acts on the rows of a task. @low and @high
-- bound the ids of the rows, both excluded.
DELETE FROM rollcall.review_rows
WHERE (act, event_id) IN (
    SELECT act, event_id FROM rollcall.review_rows WHERE event_id > @low AND event_id < @high
    ORDER BY event_id, act LIMIT @most)
