-- erase_fixes.sql: delete the replaced values of acts that changed a row. Act, actor and time stay. Run
-- it before erase_was.sql, which deletes the records of these changes.
UPDATE rollcall.review_acts SET fix = '' WHERE fix <> '' AND num IN (SELECT act FROM rollcall.review_rows WHERE event_id = @id)
