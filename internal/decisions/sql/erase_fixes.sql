-- erase_fixes.sql: delete the replaced values of acts that changed a row, before the notes of how
-- they found it are deleted. Act, actor and time stay.
UPDATE rollcall.review_acts SET fix = '' WHERE fix <> '' AND num IN (SELECT act FROM rollcall.review_rows WHERE event_id = @id)
