-- fewer_rows.sql: count fewer rows of an act.
UPDATE rollcall.review_acts SET rows = rows - @rows WHERE num = @act
