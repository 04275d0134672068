-- erase_was.sql: delete the states of a row before acts. An undo of these acts does not change the row.
DELETE FROM rollcall.review_rows WHERE event_id = @id
