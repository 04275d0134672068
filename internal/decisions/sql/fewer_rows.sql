-- fewer_rows.sql: reduce the number of rows of an act.
UPDATE rollcall.review_acts SET rows = rows - @rows WHERE num = @act
