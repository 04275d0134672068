-- erase_was.sql: delete the states of a row before acts. An undo of these acts then leaves the row unchanged.
DELETE FROM rollcall.review_rows WHERE event_id = @id
