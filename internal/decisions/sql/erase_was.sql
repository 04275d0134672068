-- erase_was.sql: delete how acts found a row. An undo of these acts leaves the row as it is.
DELETE FROM rollcall.review_rows WHERE event_id = @id
